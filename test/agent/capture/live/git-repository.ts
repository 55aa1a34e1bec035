import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { tempDir } from '../../../support/temp.ts';

const ENV = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'alice',
  GIT_AUTHOR_EMAIL: 'alice@example.com',
  GIT_COMMITTER_NAME: 'alice',
  GIT_COMMITTER_EMAIL: 'alice@example.com',
};

/** Runs the git program and returns what it printed. */
export function git(dir: string, ...args: readonly string[]): string {
  const options = ['-c', 'protocol.file.allow=always', '-C', dir];
  const { status, stdout, stderr } = spawnSync('git', [...options, ...args], { env: ENV, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

/** A repository with one commit on the branch `main`. */
export function repository(): string {
  const dir = realpathSync(tempDir('repository'));
  git(dir, 'init', '-q', '-b', 'main');
  git(dir, 'commit', '-q', '--allow-empty', '-m', 'first');
  return dir;
}
