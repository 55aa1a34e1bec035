import assert from 'node:assert/strict';
import { mcpServerEntries } from '../../../parsers/shared/mcp-servers.ts';

function values(servers: unknown): string[] {
  return mcpServerEntries(servers, { scope: 'home' }).map(({ subject }) => subject);
}

describe('parsers/shared/mcp-servers', () => {
  it('tells how a server is reached', () => {
    assert.deepEqual(
      values({
        a: { command: 'C:\\tools\\mcp.exe --x', trust: true },
        b: { httpUrl: 'https://u:p@one.example/x?y', url: 'https://two.example' },
        c: { url: 'https://two.example/x', type: 'http' },
        d: { url: 'https://two.example/x' },
        e: {},
        f: 7,
      }),
      [
        'a transport=stdio command=mcp.exe trust=true',
        'b transport=http host=one.example trust=false',
        'c transport=http host=two.example trust=false',
        'd transport=sse host=two.example trust=false',
        'e transport=- trust=false',
        'f transport=- trust=false',
      ],
    );
  });

  it('names variables and headers, never their values', () => {
    assert.deepEqual(
      values({ a: { command: 'x', args: ['secret'], env: { B: 'secret', A: 'secret' }, headers: {} } }),
      ['a transport=stdio command=x trust=false env=[A,B]'],
    );
  });

  it('takes anything else for no servers', () => {
    for (const servers of [undefined, null, [], 'x', 7]) assert.deepEqual(values(servers), []);
  });
});
