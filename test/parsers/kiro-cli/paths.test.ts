import assert from 'node:assert/strict';
import { kiroCli } from '../../../parsers/kiro-cli/index.ts';
import { projectOf } from '../../../parsers/kiro-cli/project.ts';

const nameOf = (path: string) => kiroCli.files.find(({ matches }) => matches(path))?.name;

describe('parsers/kiro-cli/paths', () => {
  it('knows the files of every engine', () => {
    const id = 'c0de0001-1111-4000-8000-000000000001';

    assert.deepEqual(
      [
        `sessions/cli/${id}.jsonl`,
        `sessions/cli/${id}.json`,
        `sessions/cli/${id}.lock`,
        `sessions/cli/${id}.history`,
        `${id}.jsonl`,
        `${id}.json`,
        `sessions/_global/sess_${id}/messages.jsonl`,
        `sessions/2af6b4a70d443ffd/cli_${id}_abcdefgh/messages.jsonl`,
        `sessions/2af6b4a70d443ffd/sess_1/session.json`,
        `sessions/2af6b4a70d443ffd/sess_1/sub-executions/e1.jsonl`,
      ].map(nameOf),
      [
        'session',
        'session-header',
        'session-lock',
        'typed-history',
        'session',
        'session-header',
        'v3-messages',
        'v3-messages',
        'v3-session',
        'v3-messages',
      ],
    );
  });

  it('reads nothing else', () => {
    for (const path of [
      'sessions/cli/.history',
      'sessions/cli/x.json.tmp',
      'sessions/.staging-cli_x_y-1/session.json',
      'sessions/2af6b4a70d443ffd/c0de0001-1111-4000-8000-000000000001/messages.jsonl',
      'sessions/2af6b4a70d443ffd/sess_1/publish.cursor',
      'sessions/2af6b4a70d443ffd/sess_1/snapshots/a.json',
      'auth.json',
      'settings/credentials.json',
      'knowledge_bases/a.json',
    ])
      assert.equal(nameOf(path), undefined, path);
  });

  it('enters only what can hold one of them', () => {
    const skips = (path: string) => kiroCli.skipDirectory(path, 'store');

    for (const path of [
      '',
      'sessions',
      'sessions/cli',
      'sessions/b',
      'sessions/b/sess_1',
      'sessions/b/sess_1/sub-executions',
      'settings',
      'agents',
      'workspace-roots/b',
      'steering/a',
    ])
      assert.equal(skips(path), false, path);
    for (const path of [
      'knowledge_bases',
      'cli-checkouts',
      'sessions/cli/x',
      'sessions/.staging-a',
      'sessions/b/snapshots',
      'sessions/b/sess_1/snapshots',
      'settings/x',
      'workspace-roots/b/c',
      'powers',
    ])
      assert.equal(skips(path), true, path);
  });

  it('finds the project of a session in its header, however long that is', () => {
    const small = {
      list: () => [],
      text: (path: string, firstBytes?: number) =>
        path === 'sessions/cli/a.json' && firstBytes !== undefined
          ? '{"cwd": "C:\\\\src\\\\a", "updated'
          : undefined,
    };

    assert.equal(projectOf({ path: 'sessions/cli/a.jsonl', recorded: undefined }, small), 'C:\\src\\a');
    assert.equal(projectOf({ path: 'sessions/cli/b.jsonl', recorded: undefined }, small), undefined);
  });

  it('finds the project of workspace rules beside them, and that of a session of the third engine in it', () => {
    const files: Record<string, string> = {
      'workspace-roots/b/.trust-migration.json': '{"root": "/srv/a"}',
      'sessions/b/sess_1/session.json': '{"workspacePaths": ["/srv/b"]}',
      'sessions/b/sess_2/session.json': '{"workspacePaths": ',
    };
    const small = { list: () => [], text: (path: string) => files[path] };
    const of = (path: string) => projectOf({ path, recorded: undefined }, small);

    assert.equal(of('workspace-roots/b/permissions.yaml'), '/srv/a');
    assert.equal(of('workspace-roots/c/permissions.yaml'), undefined);
    assert.equal(of('sessions/b/sess_1/messages.jsonl'), '/srv/b');
    assert.equal(of('sessions/b/sess_2/messages.jsonl'), undefined);
  });
});
