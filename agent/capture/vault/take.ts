import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '../../contract/errors.ts';
import { type FileFacts, factsOf, openSourceFile } from '../open-file.ts';
import type { FileIdentity } from './pin-name.ts';

/** link: another name of the file. clone: its blocks, shared until either changes. copy: its bytes once more. */
export type Method = 'link' | 'clone' | 'copy';

/** gone: it is not there any more, or another file is. unable: this file system never can. failed: not now. */
export type TakeOutcome = 'taken' | 'gone' | 'unable' | 'failed';

export interface PinFacts extends FileFacts {
  readonly ctimeNs: string;
  /** Names that the file has: the source's and ours. */
  readonly names: number;
}

export interface Take {
  readonly from: string;
  readonly to: string;
  readonly identity: FileIdentity;
  readonly ownerUid: number | null;
}

/** What file systems say that cannot do it: no such operation, another device, too many names, not allowed to. */
const UNABLE = new Set(['ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EXDEV', 'EMLINK', 'EPERM', 'ENOTTY']);

/** Facts of a plain file that is there under a path, without following a link. */
export function factsAt(path: string): PinFacts | undefined {
  try {
    const stat = lstatSync(path, { bigint: true });
    if (!stat.isFile()) return undefined;
    return { ...factsOf(stat), ctimeNs: String(stat.ctimeNs), names: Number(stat.nlink) };
  } catch {
    return undefined;
  }
}

export function isSame(a: FileIdentity, b: FileIdentity): boolean {
  return a.ino === b.ino && a.birthNs === b.birthNs && a.dev === b.dev;
}

/** Takes a pin, over one of the same name. Nothing half made is left behind when it does not succeed. */
export function take(method: Method, given: Take): TakeOutcome {
  const half = `${given.to}.half`;
  try {
    makeFolder(dirname(given.to));
    discard(half);
    const outcome = METHOD[method](given, half);
    if (outcome === 'taken') renameSync(half, given.to);
    else discard(half);
    return outcome;
  } catch (error) {
    discard(half);
    const code = errnoOf(error) ?? '';
    if (code === 'ENOENT') return 'gone';
    return UNABLE.has(code) ? 'unable' : 'failed';
  }
}

/** Removes a file of the vault; one that cannot be removed is no worse than one that was never made. */
export function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}

/** Not `recursive`, which tries for ever where a parent is there and still nothing can be made in it. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}

const METHOD: Readonly<Record<Method, (given: Take, half: string) => TakeOutcome>> = { link, clone, copy };

/** Another file may have taken the name between the look and the link. */
function link({ from, identity }: Take, half: string): TakeOutcome {
  linkSync(from, half);
  return isStill(half, identity) ? 'taken' : 'gone';
}

/** Never falls back to a copy by itself. */
function clone({ from, identity }: Take, half: string): TakeOutcome {
  if (!isStill(from, identity)) return 'gone';
  copyFileSync(from, half, constants.COPYFILE_FICLONE_FORCE);
  const facts = factsAt(from);
  if (!facts || !isSame(facts, identity)) return 'gone';
  keepTime(half, facts);
  return 'taken';
}

function copy({ from, identity, ownerUid }: Take, half: string): TakeOutcome {
  const opened = openSourceFile(from, ownerUid);
  if (opened.kind !== 'open') return opened.kind === 'gone' ? 'gone' : 'failed';
  using file = opened.file;
  if (!isSame(file.facts, identity)) return 'gone';
  writeFileSync(half, file.read(0, file.facts.size), { mode: 0o600 });
  keepTime(half, file.facts);
  return 'taken';
}

/** Rows of records without a time have that of their file. */
function keepTime(path: string, { mtimeMs }: FileFacts): void {
  utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
}

function isStill(path: string, identity: FileIdentity): boolean {
  const facts = factsAt(path);
  return facts !== undefined && isSame(facts, identity);
}
