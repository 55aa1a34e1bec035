import assert from 'node:assert/strict';
import { isLegacySession, isSessionLog, isSkippedDirectory } from '../../../parsers/gemini-cli/paths.ts';

const HASH = '2af6b4a70d443ffdfe2b93b75008d7d9e4b3327c183f7e70cc2fb5e29ceec35d';

describe('parsers/gemini-cli/paths', () => {
  it('knows session files, those of subagents and those set aside as unreadable', () => {
    const paths = [
      'tmp/proj/chats/session-2026-10-01T09-00-c0de0001.jsonl',
      `tmp/${HASH}/chats/session-2026-10-01T09-00-c0de0001.jsonl`,
      'tmp/proj/chats/c0de0001-1111-4000-8000-000000000001/5e000001-1111-4000-8000-000000000009.jsonl',
      'tmp/proj/chats/session-2026-10-01T09-00-c0de0001.jsonl.unreadable-1790845200000',
      'tmp/bin/chats/session-2026-10-01T09-00-c0de0001.jsonl',
    ];

    assert.deepEqual(
      paths.filter((path) => !isSessionLog(path)),
      [],
    );
    assert.deepEqual(paths.filter(isLegacySession), []);
  });

  it('knows legacy sessions, nested ones too', () => {
    const paths = ['tmp/proj/chats/session-2026-10-01T09-00-c0de0001.json', 'tmp/proj/chats/c0de/5e00.json'];

    assert.deepEqual(
      paths.filter((path) => !isLegacySession(path)),
      [],
    );
    assert.deepEqual(paths.filter(isSessionLog), []);
  });

  it('takes nothing else for a session, least of all credentials', () => {
    const paths = [
      'tmp/proj/chats/session-2026-10-01T09-00-c0de0001.jsonl.tmp-4711',
      'tmp/proj/chats/session-2026-10-01T09-00-c0de0001.jsonl.unreadable-',
      'tmp/proj/chats/session-2026-10-01T09-00-c0de0001.jsonl.unreadable-x',
      'tmp/proj/deleted-corrupted.json',
      'tmp/proj/logs.json',
      'tmp/proj/logs/session-c0de0001.jsonl',
      'tmp/proj/chatsx/a.jsonl',
      'tmp/chats/a.jsonl',
      'tmp//chats/a.jsonl',
      'history/proj/chats/a.jsonl',
      'oauth_creds.json',
      'google_accounts.json',
      'settings.json',
      'tmp/proj/chats/oauth_creds.json',
      'tmp/proj/chats/x/mcp-oauth-tokens.json',
    ];

    assert.deepEqual(
      paths.filter((path) => isSessionLog(path) || isLegacySession(path)),
      [],
    );
  });

  it('enters only directories that can hold a source file', () => {
    const entered = [
      '',
      'tmp',
      'tmp/proj',
      'tmp/bin',
      'tmp/proj/chats',
      'tmp/proj/chats/c0de',
      'tmp/proj/logs',
      'tmp/proj/checkpoints',
      'policies',
      'acknowledgments',
      'extensions',
      'extensions/wiki',
    ];
    const skipped = [
      'history',
      'history/proj',
      'extensions/wiki/node_modules',
      'whisper_models',
      'bin',
      'cli-browser-profile',
      'worktrees',
      'tmp/background-processes/x',
      'tmp/proj/tool-outputs',
      'tmp/proj/logs/x',
      'tmp/proj/checkpoints/x',
      'tmp/proj/memory',
      'tmp/proj/chatsx',
      'tmpx',
      'policies/old',
    ];

    assert.deepEqual(
      entered.filter((path) => isSkippedDirectory(path, 'store')),
      [],
    );
    assert.deepEqual(
      skipped.filter((path) => !isSkippedDirectory(path, 'store')),
      [],
    );
  });

  it('enters of a project, and of the machine, only what holds settings', () => {
    for (const place of ['project', 'system'] as const) {
      assert.equal(isSkippedDirectory('', place), false);
      assert.equal(isSkippedDirectory('policies', place), false);
      assert.equal(isSkippedDirectory('worktrees', place), true);
      assert.equal(isSkippedDirectory('tmp', place), true);
    }
  });
});
