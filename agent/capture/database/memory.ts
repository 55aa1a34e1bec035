import type { Note } from './note.ts';
import type { WalIndex } from './wal.ts';

/** What is worth keeping between two looks at one database. */
export interface SnapshotMemory {
  wal: WalIndex | undefined;
  /** A journal that was there, and since when (monotonic) it and its database have been as they are. */
  journal: { readonly state: string; readonly since: number } | undefined;
}

/** The same with its records: notes by their names. */
export interface DatabaseMemory extends SnapshotMemory {
  readonly notes: Map<string, Note>;
  /** It was looked through since this process began. */
  wasRead: boolean;
}

export function newDatabaseMemory(notes: Map<string, Note>): DatabaseMemory {
  return { notes, wasRead: false, wal: undefined, journal: undefined };
}
