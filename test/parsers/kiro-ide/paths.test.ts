import assert from 'node:assert/strict';
import { kiroIde } from '../../../parsers/kiro-ide/index.ts';
import { METADATA, SAVES } from '../../../parsers/kiro-ide/paths.ts';
import { hash32 } from '../../../parsers/kiro-ide/workspace.ts';

const FOLDER = hash32('/home/alice/proj');
const FILE = hash32('anything');

describe('parsers/kiro-ide/paths', () => {
  it('has the names that the IDE makes of its fixed words', () => {
    assert.equal(SAVES, hash32('KIRO::EXECUTION::SAVES'));
    assert.equal(METADATA, hash32('KIRO::EXECUTION::METADATA'));
  });

  for (const [path, name] of [
    ['workspace-sessions/L3Nydi9y/c0de.json', 'session'],
    ['workspace-sessions/L3Nydi9y/sessions.json', 'session-list'],
    ['workspace-sessions/L3Nydi9y/.migrated-c0de.json', 'migration-mark'],
    [`${FOLDER}/${SAVES}/${FILE}`, 'execution'],
    [`${FOLDER}/${SAVES}/${FILE}.json`, 'execution'],
    [`${FOLDER}/${FILE}.chat`, 'chat'],
    ['sessions/9c1f00aa22bb33cc/5e551005-1111-4000-8000-000000000001/messages.jsonl', 'v3-messages'],
    ['sessions/9c1f00aa22bb33cc/5e551005-1111-4000-8000-000000000001/session.json', 'v3-session'],
    ['settings.json', 'settings'],
    ['profiles/-5f3a/settings.json', 'settings'],
  ] as const) {
    it(`reads ${path} as ${name}`, () => {
      assert.deepEqual(
        kiroIde.files.filter((file) => file.matches(path)).map((file) => file.name),
        [name],
      );
    });
  }

  for (const path of [
    'workspace-sessions/L3Nydi9y/.c0de.json',
    'workspace-sessions/L3Nydi9y/c0de.json.tmp',
    'workspace-sessions/L3Nydi9y/deeper/c0de.json',
    'workspace-sessions/c0de.json',
    `${FOLDER}/${METADATA}`,
    `${FOLDER}/74a08cf8613c7dec4db7b264470db812/${FILE}`,
    `${FOLDER}/${SAVES}/${FILE}/more`,
    `${FOLDER}/${SAVES}/notes.txt`,
    `${FOLDER.toUpperCase()}/${SAVES}/${FILE}`,
    'config.json',
    'profile.json',
    'dev_data/devdata.sqlite',
    'index/docs.sqlite',
    'hooks/guard.json',
    'settings/mcp.json',
    'sessions/9c1f00aa22bb33cc/sess_5e551005-1111-4000-8000-000000000001/messages.jsonl',
    'sessions/cli/5e551005-1111-4000-8000-000000000001.jsonl',
    'secrets.json',
  ]) {
    it(`never opens ${path}`, () => {
      assert.equal(
        kiroIde.files.some((file) => file.matches(path)),
        false,
      );
    });
  }

  for (const path of [
    'index',
    'index/lancedb',
    'lancedb',
    'dev_data',
    'default',
    'out',
    'sessions/cli',
    'sessions/9c1f00aa22bb33cc/sess_5e551005-1111-4000-8000-000000000001',
    'sessions/9c1f00aa22bb33cc/5e551005-1111-4000-8000-000000000001/snapshots',
    'settings',
    'steering',
    '.migrations',
    'extensions',
    'workspaceStorage',
    'globalStorage',
    'History',
    'snippets',
    'profiles/-5f3a/globalStorage',
    `${FOLDER}/74a08cf8613c7dec4db7b264470db812`,
    `${FOLDER}/${SAVES}/deeper`,
    'workspace-sessions/L3Nydi9y/deeper',
    'hooks',
    'agents',
    'powers',
    'web-session',
  ]) {
    it(`never enters ${path}`, () => {
      assert.equal(kiroIde.skipDirectory(path, 'store'), true);
    });
  }

  for (const path of [
    '',
    'workspace-sessions',
    'workspace-sessions/L3Nydi9y',
    FOLDER,
    `${FOLDER}/${SAVES}`,
    'profiles',
    'profiles/-5f3a',
    'sessions',
    'sessions/9c1f00aa22bb33cc',
    'sessions/9c1f00aa22bb33cc/5e551005-1111-4000-8000-000000000001',
  ]) {
    it(`enters ${path === '' ? 'the root' : path}`, () => {
      assert.equal(kiroIde.skipDirectory(path, 'store'), false);
    });
  }

  it('looks where every system has the editor, the store of the agent before the directory around it', () => {
    const paths = kiroIde.roots.map(({ path }) => path);

    for (const user of [
      '.config/Kiro/User',
      '.kiro-server/data/User',
      'Library/Application Support/Kiro/User',
      'AppData/Roaming/Kiro/User',
    ]) {
      const store = paths.indexOf(`${user}/globalStorage/kiro.kiroagent`);
      assert.ok(store >= 0 && store < paths.indexOf(user), user);
    }
  });
});
