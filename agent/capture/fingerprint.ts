import { hash } from 'node:crypto';
import type { Cursor } from '../contract/commit.ts';
import type { FileFacts, OpenedFile } from './open-file.ts';

/** Bytes at the start of a file, and before the cursor, that tell whether it is still the same text. */
const HEAD_BYTES = 1024;
const TAIL_BYTES = 4096;

export interface Anchors {
  readonly head: string;
  readonly tail: string;
}

/** Hashes of the first bytes and of the last ones before `offset`. */
export function anchorsAt(file: OpenedFile, offset: number): Anchors {
  const head = file.read(0, Math.min(HEAD_BYTES, offset));
  if (offset <= HEAD_BYTES) return { head: digest(head), tail: digest(head) };
  const length = Math.min(TAIL_BYTES, offset);
  return { head: digest(head), tail: digest(file.read(offset - length, length)) };
}

export type FileChange = 'same' | 'grown' | 'replaced' | 'truncated' | 'rewritten';

/**
 * What became of a file since the cursor was taken. A size that grew proves nothing: a file may have been
 * rewritten in place, longer than before, so the bytes before the cursor are compared (see docs/reading.md).
 */
export function compareWith(
  file: OpenedFile,
  cursor: Pick<Cursor, 'dev' | 'ino' | 'birthNs' | 'offset' | 'head' | 'tail' | 'size' | 'mtimeNs'>,
): FileChange {
  const { facts } = file;
  if (!isSameFile(facts, cursor)) return 'replaced';
  if (facts.size < cursor.offset) return 'truncated';
  if (facts.size === cursor.size && facts.mtimeNs === cursor.mtimeNs) return 'same';
  const { head, tail } = anchorsAt(file, cursor.offset);
  return head === cursor.head && tail === cursor.tail ? 'grown' : 'rewritten';
}

/** Inode numbers are reused within seconds; the birth time with them is not. */
export function isSameFile(facts: FileFacts, known: Pick<Cursor, 'dev' | 'ino' | 'birthNs'>): boolean {
  return facts.dev === known.dev && facts.ino === known.ino && facts.birthNs === known.birthNs;
}

function digest(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex').slice(0, 32);
}
