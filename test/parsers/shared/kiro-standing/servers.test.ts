import assert from 'node:assert/strict';
import { readServers } from '../../../../parsers/shared/kiro-standing/servers.ts';
import { entriesOf } from './support.ts';

describe('parsers/shared/kiro-standing/servers', () => {
  it('tells which tools of a server run without asking, and never a value', () => {
    const found = entriesOf(readServers, 'settings/mcp.json', {
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
