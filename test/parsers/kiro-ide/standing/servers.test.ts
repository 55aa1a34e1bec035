import assert from 'node:assert/strict';
import { entries } from '../support.ts';

describe('parsers/kiro-ide/standing/servers', () => {
  it('tells which tools of a server run without asking, and never a value', () => {
    const found = entries('settings/mcp.json', {
      mcpServers: {
        a: {
          command: '/bin/run --key=secret',
          args: ['secret'],
          env: { KEY: 'secret' },
          autoApprove: ['read', '*', 3],
        },
        b: { url: 'https://me:secret@example.com/x?key=secret', disabled: true, disabledTools: ['drop'] },
        c: 'no server',
      },
    });

    assert.deepEqual(
      found.filter(({ event }) => event === 'permission.setting').map(({ subject }) => subject),
      [
        'mcpServers.a.autoApprove=read',
        'mcpServers.a.autoApprove=*',
        'mcpServers.b.disabledTools=drop',
        'mcpServers.b.disabled=true',
      ],
    );
    assert.equal(found.find(({ value }) => value === '*')?.attributes?.['trust_all'], true);
    assert.equal(JSON.stringify(found).includes('secret'), false);
  });
});
