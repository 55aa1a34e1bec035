import assert from 'node:assert/strict';
import { qwenCode } from '../../../parsers/qwen-code/index.ts';
import { isSkippedDirectory } from '../../../parsers/qwen-code/paths.ts';

const ID = 'c0de0001-1111-4000-8000-000000000001';
const HASH = '2af6b4a70d443ffdfe2b93b75008d7d9e4b3327c183f7e70cc2fb5e29ceec35d';

function kindOf(path: string): string | undefined {
  return qwenCode.files.find((file) => file.matches(path))?.name;
}

describe('parsers/qwen-code/paths', () => {
  it('knows each file', () => {
    const files: Readonly<Record<string, string>> = {
      [`projects/-home-alice-shop/chats/${ID}.jsonl`]: 'session',
      [`projects/-home-alice-shop/chats/archive/${ID}.jsonl`]: 'session',
      [`projects/-home-alice-shop/subagents/${ID}/agent-explore-call_qwen_1.jsonl`]: 'subagent',
      [`projects/-home-alice-shop/subagents/${ID}/agent-explore-call_qwen_1.meta.json`]: 'subagent-meta',
      [`tmp/${HASH}/logs.json`]: 'prompt-history',
      [`tmp/${HASH}/logs.json.malformed_array.1763629200000.bak`]: 'prompt-history',
      [`tmp/${HASH}/shell_history`]: 'shell-history',
      'usage_record.jsonl': 'usage',
      'settings.json': 'settings',
      'trustedFolders.json': 'trusted-folders',
      'mcpApprovals.json': 'mcp-approvals',
    };

    assert.deepEqual(Object.keys(files).map(kindOf), Object.values(files));
  });

  it('reads nothing else', () => {
    const paths = [
      `projects/p/chats/${ID}.ledger.jsonl`,
      `projects/p/chats/${ID}.runtime.json`,
      `projects/p/chats/.${ID}.op.tmp`,
      `projects/p/subagents/${ID}/agent-a.jsonl.stream`,
      `projects/p/subagents/${ID}/agent-a.meta.json.1.x.tmp`,
      'projects/p/memory/MEMORY.md',
      'sessions/4711.json',
      'oauth_creds.json',
      'mcp-oauth-tokens.json',
      'google_accounts.json',
      '.env',
      'settings.json.orig',
      'extensions/x/settings.json',
      'tmp/slug/logs.json',
    ];

    assert.deepEqual(paths.map(kindOf).filter(Boolean), []);
  });

  it('enters only directories that can hold a source file', () => {
    const entered = [
      '',
      'projects',
      'projects/p',
      'projects/p/chats',
      'projects/p/chats/archive',
      'projects/p/subagents',
      `projects/p/subagents/${ID}`,
      'tmp',
      `tmp/${HASH}`,
    ];
    const skipped = [
      'sessions',
      'debug',
      'extensions',
      'extension-store',
      'file-history',
      'memories',
      'projects/p/memory',
      'projects/p/workflows',
      'projects/p/chats/other',
      'projects/p/chats/archive/deep',
      `projects/p/subagents/${ID}/deep`,
      `tmp/${HASH}/tool-results`,
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
      assert.equal(isSkippedDirectory('projects', place), true);
      assert.equal(isSkippedDirectory('skills', place), true);
    }
  });
});
