import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../contract/clock.ts';
import { openSourceFile } from '../open-file.ts';
import { findGitDirectory } from './git-directory.ts';
import { branchOf, type GitHead, parseGitHead } from './git-head.ts';

/** Where HEAD lies is looked for again after this time: a repository may be made, or go. */
const WALK_MS = 1_000;

/** References are shorter (a file name is at most 255 bytes, a path 4,096). */
const MAX_HEAD_BYTES = 4_608;
const MAX_PROJECTS = 256;

export interface GitBranches {
  /**
   * What HEAD of a project named at a time, in milliseconds since 1970. Only the present can be read: when HEAD
   * has changed since that time, nobody knows what it was.
   */
  headAt(project: string, ms: number): GitHead | undefined;
}

interface HeadRead {
  readonly print: string;
  readonly changedMs: number;
  readonly head: GitHead | undefined;
}

interface Known {
  readonly dir: string | undefined;
  /** Monotonic. */
  readonly walkedAt: number;
  /** Wall clock, taken before the file was looked at: the answer holds for every earlier moment too. */
  checkedMs: number;
  read: HeadRead | undefined;
}

/** Reads `.git/HEAD` of projects, each state of it once. Never throws: what cannot be read is unknown. */
export function createGitBranches({
  clock,
  ownerUid,
}: {
  clock: Clock;
  ownerUid: number | null;
}): GitBranches {
  const projects = new Map<string, Known>();

  function find(project: string): Known {
    const known = projects.get(project);
    const walkedAt = clock.monotonic();
    if (known && walkedAt - known.walkedAt < WALK_MS) return known;
    const dir = unlessRefused(() => findGitDirectory(project, ownerUid));
    const read = known?.dir === dir ? known?.read : undefined;
    const fresh = { dir, walkedAt, checkedMs: Number.NEGATIVE_INFINITY, read };
    if (projects.size >= MAX_PROJECTS) projects.clear();
    projects.set(project, fresh);
    return fresh;
  }

  return {
    headAt(project, ms) {
      const known = find(project);
      const { dir } = known;
      if (dir === undefined) return undefined;
      if (ms >= known.checkedMs) {
        known.checkedMs = clock.now();
        known.read = unlessRefused(() => readHead(join(dir, 'HEAD'), known.read, ownerUid));
      }
      const { read } = known;
      return read && ms > read.changedMs ? read.head : undefined;
    },
  };
}

function readHead(path: string, last: HeadRead | undefined, ownerUid: number | null): HeadRead | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stat) return undefined;
  const print = [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ');
  if (print === last?.print) return last;
  const head = stat.isSymbolicLink() ? linkedHead(path, stat, ownerUid) : fileHead(path, ownerUid);
  return { print, changedMs: Number(stat.mtimeNs / 1_000_000n), head };
}

/** Old repositories have a link whose target is the branch's reference; what lies there is not looked at. */
function linkedHead(path: string, stat: BigIntStats, ownerUid: number | null): GitHead | undefined {
  if (ownerUid !== null && Number(stat.uid) !== ownerUid) return undefined;
  return branchOf(readlinkSync(path));
}

function fileHead(path: string, ownerUid: number | null): GitHead | undefined {
  const opened = openSourceFile(path, ownerUid);
  if (opened.kind !== 'open') return undefined;
  using file = opened.file;
  if (file.facts.size > MAX_HEAD_BYTES) return undefined;
  return parseGitHead(file.read(0, file.facts.size).toString('utf8'));
}

/** A project that may not be looked into, or goes away meanwhile, has no branch that we know. */
function unlessRefused<T>(look: () => T | undefined): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
