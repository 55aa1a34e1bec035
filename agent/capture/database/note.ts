import { hash } from 'node:crypto';
import { MAX_MEMORY_CHARS } from '../../contract/source.ts';

/** What is kept of a record: how to see that it changed, and what its parser remembers of it. */
export interface Note {
  /** Version of the source whose parser saw it. */
  readonly version: number;
  readonly table: string;
  readonly key: readonly string[];
  /** Rowid, length and hash of what stands on the leaf page. */
  readonly stamp: string;
  /** Its last page and the hash of what stood there: a change behind the first bytes shows in neither of the above. */
  readonly tailPage: number;
  readonly tail: string;
  readonly memory?: string;
}

/** Keys are paths; what is longer is told apart by its hash and shown by its start. */
const MAX_KEY_CHARS = 1_024;

export function noteName(table: string, key: readonly string[], rowid: number | undefined): string {
  const name = JSON.stringify([table, ...key, rowid ?? null]);
  return `${table}:${digest(Buffer.from(name))}`;
}

export function noteOf(note: Omit<Note, 'memory'>, memory: string | undefined): Note {
  const key = note.key.map((part) => part.slice(0, MAX_KEY_CHARS));
  const isKept = memory !== undefined && memory !== '' && memory.length <= MAX_MEMORY_CHARS;
  return { ...note, key, ...(isKept ? { memory } : {}) };
}

/** A note that cannot be read is none: the record is then read again, and its ids are known. */
export function parseNote(text: string): Note | undefined {
  try {
    const note = JSON.parse(text) as Note;
    return Array.isArray(note?.key) && typeof note.stamp === 'string' ? note : undefined;
  } catch {
    return undefined;
  }
}

export function digest(bytes: Buffer): string {
  return hash('sha256', bytes, 'base64url').slice(0, 24);
}
