import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf } from '../contract/errors.ts';

/** What a file was when it was opened. Times in nanoseconds: milliseconds as a double lose rewrites. */
export interface FileFacts {
  readonly dev: string;
  readonly ino: string;
  readonly birthNs: string;
  readonly size: number;
  readonly mtimeNs: string;
  readonly mtimeMs: number;
  readonly uid: number;
  readonly storedBytes: number;
  /** Databases: the state of what stands beside the file and belongs to it. */
  readonly beside?: string;
}

export interface OpenedFile extends Disposable {
  readonly facts: FileFacts;
  /** Looks at the size and times again. */
  refresh(): void;
  /** Reads at a place, as much as there is; returns what was read. */
  read(position: number, length: number): Buffer;
  /** The same into a buffer of the caller's; returns how many bytes. */
  readInto(target: Buffer, position: number): number;
}

export type OpenResult =
  | { readonly kind: 'open'; readonly file: OpenedFile }
  | { readonly kind: 'gone' }
  /** Not something to read: a link, a pipe, a device, or another user's file. Will not change by waiting. */
  | { readonly kind: 'refused'; readonly reason: string; readonly facts?: FileFacts }
  /** The system said no for now: permission, too many open files, input/output error. */
  | { readonly kind: 'failed'; readonly reason: string };

const FLAGS =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** A file this large of which less than a tenth is stored is a hole made to keep us reading. */
const SPARSE_BYTES = 1024 ** 3;

/**
 * Opens a user's file without following a link and without blocking on a pipe, and refuses what is not a
 * plain file of the expected owner.
 */
export function openSourceFile(path: string, ownerUid: number | null): OpenResult {
  let fd: number;
  try {
    fd = openSync(path, FLAGS);
  } catch (error) {
    return openFailure(errnoOf(error) ?? 'EIO');
  }
  try {
    const stat = fstatSync(fd, { bigint: true });
    const facts = factsOf(stat);
    const reason = refusal(stat.isFile(), facts, ownerUid);
    if (reason === undefined) return { kind: 'open', file: opened(fd, facts) };
    closeSync(fd);
    return { kind: 'refused', reason, facts };
  } catch (error) {
    closeSync(fd);
    return { kind: 'failed', reason: errnoOf(error) ?? 'EIO' };
  }
}

export function factsOf(stat: {
  dev: bigint;
  ino: bigint;
  birthtimeNs: bigint;
  size: bigint;
  mtimeNs: bigint;
  uid: bigint;
  blocks: bigint;
}): FileFacts {
  return {
    dev: String(stat.dev),
    ino: String(stat.ino),
    birthNs: String(stat.birthtimeNs),
    size: Number(stat.size),
    mtimeNs: String(stat.mtimeNs),
    mtimeMs: Number(stat.mtimeNs / 1_000_000n),
    uid: Number(stat.uid),
    storedBytes: Number(stat.blocks) * 512,
  };
}

function openFailure(code: string): OpenResult {
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'gone' };
  if (code === 'ELOOP' || code === 'EMLINK') return { kind: 'refused', reason: 'symbolic link' };
  if (code === 'ENXIO' || code === 'EISDIR') return { kind: 'refused', reason: 'not a plain file' };
  return { kind: 'failed', reason: code };
}

function refusal(isFile: boolean, facts: FileFacts, ownerUid: number | null): string | undefined {
  if (!isFile) return 'not a plain file';
  if (ownerUid !== null && facts.uid !== ownerUid) return 'belongs to another user';
  if (facts.size > SPARSE_BYTES && facts.storedBytes < facts.size / 10) return 'sparse file';
  return undefined;
}

function opened(fd: number, first: FileFacts): OpenedFile {
  let facts = first;
  let isOpen = true;
  return {
    get facts() {
      return facts;
    },
    refresh() {
      facts = factsOf(fstatSync(fd, { bigint: true }));
    },
    read(position, length) {
      const buffer = Buffer.allocUnsafe(length);
      return buffer.subarray(0, readFully(fd, buffer, position));
    },
    readInto: (target, position) => readFully(fd, target, position),
    [Symbol.dispose]() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

function readFully(fd: number, target: Buffer, position: number): number {
  let filled = 0;
  while (filled < target.length) {
    const count = readSync(fd, target, filled, target.length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}
