import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createGitBranches } from '../../../../agent/capture/live/git-branch.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { tempDir } from '../../../support/temp.ts';
import { git, repository } from './git-repository.ts';

describe('agent/capture/live/git-branch', () => {
  it('tells the branch, also below the root of the repository and before its first commit', () => {
    const dir = repository();
    mkdirSync(join(dir, 'packages', 'shop'), { recursive: true });
    const unborn = tempDir();
    git(unborn, 'init', '-q', '-b', 'begin/here');

    assert.deepEqual(headOf(dir), branch('main'));
    assert.deepEqual(headOf(join(dir, 'packages', 'shop')), branch('main'));
    assert.deepEqual(headOf(unborn), branch('begin/here'));
  });

  it('tells the branch of a worktree, not that of the repository it belongs to', () => {
    const dir = repository();
    const tree = join(tempDir(), 'tree');
    git(dir, 'worktree', 'add', '-q', '-b', 'feature/login', tree);

    assert.deepEqual([headOf(tree), headOf(dir)], [branch('feature/login'), branch('main')]);
  });

  it('tells the branch of a submodule, not that of the repository around it', () => {
    const inner = repository();
    const dir = repository();
    git(dir, 'submodule', '--quiet', 'add', inner, 'lib');
    git(join(dir, 'lib'), 'checkout', '-q', '-b', 'patched');

    assert.deepEqual([headOf(join(dir, 'lib')), headOf(dir)], [branch('patched'), branch('main')]);
  });

  it('tells the commit where no branch is checked out', () => {
    const dir = repository();
    git(dir, 'checkout', '-q', '--detach');

    assert.deepEqual(headOf(dir), { kind: 'detached', commit: git(dir, 'rev-parse', 'HEAD') });
  });

  it('takes a HEAD that is a link for the branch that its target names, as old repositories have it', () => {
    const dir = repository();
    unlinkSync(join(dir, '.git', 'HEAD'));
    symlinkSync('refs/heads/main', join(dir, '.git', 'HEAD'));

    assert.deepEqual(headOf(dir), branch('main'));
  });

  it('knows no branch of a repository whose references are a table: its HEAD is a placeholder', () => {
    const dir = repository();
    writeFileSync(join(dir, '.git', 'HEAD'), 'ref: refs/heads/.invalid\n');

    assert.equal(headOf(dir), undefined);
  });

  it('looks past a .git that is no repository, and into none above a project that is gone', () => {
    const dir = repository();
    mkdirSync(join(dir, 'empty', '.git'), { recursive: true });

    assert.deepEqual(headOf(join(dir, 'empty')), branch('main'));
    assert.equal(headOf(join(dir, 'gone')), undefined);
  });

  it('sees a checkout at once, and knows nothing of the time before it', () => {
    const dir = repository();
    const { clock, heads } = branches();
    const before = clock.now();
    setChanged(dir, before - 1_000);
    const first = heads.headAt(dir, before);

    git(dir, 'checkout', '-q', '-b', 'next');
    setChanged(dir, before + 500);

    assert.deepEqual(first, branch('main'));
    assert.deepEqual(heads.headAt(dir, before + 501), branch('next'));
    assert.equal(heads.headAt(dir, before + 400), undefined);
    assert.equal(heads.headAt(dir, before - 5_000), undefined);
  });

  it('reads once for records that are older than the last look', async () => {
    const dir = repository();
    const { clock, heads } = branches();
    setChanged(dir, clock.now() - 10_000);
    await clock.advance(100);
    heads.headAt(dir, clock.now());
    rmSync(join(dir, '.git'), { recursive: true });

    const burst = [1, 2, 3].map((ms) => heads.headAt(dir, clock.now() - ms));
    await clock.advance(1_000);

    assert.deepEqual(burst, [branch('main'), branch('main'), branch('main')]);
    assert.equal(heads.headAt(dir, clock.now() - 2_000), undefined, 'found to be gone after a second');
  });

  it('finds a repository that is made while the session goes on', async () => {
    const dir = tempDir();
    const { clock, heads } = branches();
    const first = heads.headAt(dir, clock.now());

    git(dir, 'init', '-q', '-b', 'main');
    setChanged(dir, clock.now());
    await clock.advance(1_000);

    assert.deepEqual([first, heads.headAt(dir, clock.now())], [undefined, branch('main')]);
  });

  it('follows no link: neither .git, nor what a .git file names', () => {
    const dir = repository();
    const linked = tempDir();
    symlinkSync(join(dir, '.git'), join(linked, '.git'));
    const named = tempDir();
    symlinkSync(join(dir, '.git'), join(named, 'link'));
    writeFileSync(join(named, '.git'), 'gitdir: link\n');
    const head = repository();
    renameSync(join(head, '.git', 'HEAD'), join(head, 'kept'));
    symlinkSync('../kept', join(head, '.git', 'HEAD'));

    assert.deepEqual([headOf(linked), headOf(named), headOf(head)], [undefined, undefined, undefined]);
  });

  it('does not hang on pipes, nor go round in a loop', () => {
    const pipe = tempDir();
    assert.equal(spawnSync('mkfifo', [join(pipe, '.git')]).status, 0);
    const head = repository();
    unlinkSync(join(head, '.git', 'HEAD'));
    assert.equal(spawnSync('mkfifo', [join(head, '.git', 'HEAD')]).status, 0);
    const loop = tempDir();
    symlinkSync('.git', join(loop, '.git'));
    const self = tempDir();
    writeFileSync(join(self, '.git'), 'gitdir: .git\n');

    assert.deepEqual(
      [pipe, head, loop, self].map((dir) => headOf(dir)),
      [undefined, undefined, undefined, undefined],
    );
  });

  it('reads no huge file', () => {
    const head = repository();
    truncateSync(join(head, '.git', 'HEAD'), 2 ** 40);
    const link = tempDir();
    writeFileSync(join(link, '.git'), `gitdir: ${'x'.repeat(9_000)}\n`);

    assert.deepEqual(
      [head, link].map((dir) => headOf(dir)),
      [undefined, undefined],
    );
  });

  it('knows no name that git would not take', () => {
    const dir = repository();
    const heads = [
      '',
      'ref: refs/heads/',
      'ref: refs/heads/a..b',
      'ref: refs/heads/a b',
      'ref: refs/tags/v1',
    ];
    const hostile = ['ref: refs/heads/a\x1b[2J', 'ref: ../../etc/passwd', 'abc123', 'ref: refs/heads/\xff\0'];

    const found = [...heads, ...hostile].map((text) => {
      writeFileSync(join(dir, '.git', 'HEAD'), text);
      return headOf(dir);
    });

    assert.deepEqual(new Set(found), new Set([undefined]));
  });

  it('stops at what belongs to another user', () => {
    const dir = repository();
    const other = (process.getuid?.() ?? 0) + 1;

    assert.equal(headOf(dir, other), undefined);
    assert.deepEqual(headOf(dir, null), branch('main'));
  });

  it('stops where the directories of another user begin, and reads no HEAD of another user', () => {
    if (process.getuid?.() !== 0) return;
    const above = repository();
    const project = join(above, 'project');
    mkdirSync(project);
    chownSync(project, 65_534, 65_534);
    const foreign = repository();
    chownSync(join(foreign, '.git', 'HEAD'), 65_534, 65_534);
    const tree = tempDir();
    writeFileSync(join(tree, '.git'), `gitdir: ${join(above, '.git')}\n`);
    chownSync(join(above, '.git'), 65_534, 65_534);

    assert.equal(headOf(project, 65_534), undefined);
    assert.equal(headOf(foreign), undefined);
    assert.equal(headOf(tree), undefined);
  });

  it('knows nothing of a path that is none here', () => {
    assert.deepEqual(
      ['C:\\work\\shop', 'relative', 'a\0b', '/'].map((path) => headOf(path)),
      [undefined, undefined, undefined, undefined],
    );
  });
});

function branch(name: string) {
  return { kind: 'branch', name };
}

/** HEAD as it is now, for the owner of this process. */
function headOf(dir: string, ownerUid: number | null = process.getuid?.() ?? null) {
  const clock = new FakeClock(Date.now() + 60_000);
  return createGitBranches({ clock, ownerUid }).headAt(dir, clock.now());
}

function branches() {
  const clock = new FakeClock();
  return { clock, heads: createGitBranches({ clock, ownerUid: process.getuid?.() ?? null }) };
}

/** Makes HEAD last written a millisecond before a moment. */
function setChanged(dir: string, ms: number): void {
  const at = (ms - 1) / 1_000;
  utimesSync(join(dir, '.git', 'HEAD'), at, at);
}
