import { type BigIntStats, lstatSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { openSourceFile } from '../open-file.ts';

/** Directories looked into from the project upwards. */
const MAX_DEPTH = 32;

/** A path and a few words: a longer file is none that git wrote. */
const MAX_LINK_BYTES = 8_192;

/**
 * The directory with the HEAD of the working tree that a project lies in, as git finds it: the next `.git` upwards, or the
 * place that a `.git` file names (worktrees, submodules; HEAD is there, never in the common directory). Looks at
 * directories of the owner on one file system only, and passes through no `.git` that is a link.
 */
export function findGitDirectory(project: string, ownerUid: number | null): string | undefined {
  if (!isAbsolute(project)) return undefined;
  const device = ownDirectory(project, ownerUid)?.dev;
  let dir = resolve(project);
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const stat = ownDirectory(dir, ownerUid);
    if (!stat || stat.dev !== device) return undefined;
    const found = gitIn(dir, ownerUid);
    if (found !== 'none') return found.dir;
    const parent = dirname(dir);
    if (parent === dir) return undefined;
    dir = parent;
  }
  return undefined;
}

/** none: look further up, as git does, which takes a directory without a HEAD for no repository. */
function gitIn(dir: string, ownerUid: number | null): { readonly dir: string | undefined } | 'none' {
  const path = join(dir, '.git');
  const stat = look(path);
  if (!stat) return 'none';
  if (stat.isFile()) return { dir: linkedDirectory(path, ownerUid) };
  if (!stat.isDirectory() || !isOwn(stat, ownerUid)) return { dir: undefined };
  return look(join(path, 'HEAD')) ? { dir: path } : 'none';
}

/** `gitdir: <path>`, absolute or from the file's own directory. One hop: what it names must be a directory. */
function linkedDirectory(path: string, ownerUid: number | null): string | undefined {
  const opened = openSourceFile(path, ownerUid);
  if (opened.kind !== 'open') return undefined;
  using file = opened.file;
  if (file.facts.size > MAX_LINK_BYTES) return undefined;
  const target = /^gitdir: ([^\0\r\n]+)\r?\n?$/.exec(file.read(0, file.facts.size).toString('utf8'))?.[1];
  if (target === undefined) return undefined;
  const dir = resolve(dirname(path), target);
  return ownDirectory(dir, ownerUid) ? dir : undefined;
}

function ownDirectory(path: string, ownerUid: number | null): BigIntStats | undefined {
  const stat = look(path);
  return stat?.isDirectory() && isOwn(stat, ownerUid) ? stat : undefined;
}

function look(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

function isOwn({ uid }: BigIntStats, ownerUid: number | null): boolean {
  return ownerUid === null || Number(uid) === ownerUid;
}
