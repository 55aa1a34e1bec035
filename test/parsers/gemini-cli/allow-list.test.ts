import assert from 'node:assert/strict';
import { geminiCli } from '../../../parsers/gemini-cli/index.ts';

/** Files that hold credentials, or that can hold them in any form. */
const NEVER = [
  'oauth_creds.json',
  'google_accounts.json',
  'gemini-credentials.json',
  'mcp-oauth-tokens.json',
  'a2a-oauth-tokens.json',
  'mcp-oauth-tokens-v2.json',
  'policy_integrity.json',
  'installation_id',
  '.env',
  'extensions/wiki/.env',
  'extensions/wiki/oauth_creds.json',
  'tmp/proj/oauth_creds.json',
  'tmp/proj/.env',
  'tmp/proj/chats/mcp-oauth-tokens.json',
  'tmp/proj/bug-memory-1790845210123.heapsnapshot',
  'tmp/proj/tool-outputs/session-1/x.txt',
  'tmp/proj/memory/MEMORY.md',
  'history/proj/.git/config',
  'cli-browser-profile/Cookies',
];

/** Files of the moment between two states. */
const MOMENTARY = [
  'policies/auto-saved.toml.tmp',
  'policies/.0123456789abcdef.tmp',
  'policies/sub/x.toml',
  'trustedFolders.json.tmp.1',
  'settings.json.orig',
  'tmp/proj/logs.json.tmp',
  'tmp/proj/checkpoint-x.json.tmp',
  'extensions/wiki/gemini-extension.json.tmp',
];

describe('parsers/gemini-cli: the allow-list', () => {
  it('opens nothing that may hold a credential', () => {
    assert.deepEqual(NEVER.filter(isRead), []);
  });

  it('opens nothing that is renamed a moment later', () => {
    assert.deepEqual(MOMENTARY.filter(isRead), []);
  });

  it('reads each path as one kind of file at most', () => {
    for (const path of [
      'tmp/logs.json/logs.json',
      'tmp/p/checkpoint-logs.json',
      'tmp/p/checkpoints/session-x.jsonl',
    ])
      assert.ok(geminiCli.files.filter((spec) => spec.matches(path)).length <= 1, path);
  });
});

function isRead(path: string): boolean {
  return geminiCli.files.some((spec) => spec.matches(path));
}
