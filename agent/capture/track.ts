import type { Timer } from '../contract/clock.ts';
import type { Cursor } from '../contract/commit.ts';
import type { Tally } from '../contract/lifecycle.ts';
import { type DatabaseMemory, newDatabaseMemory } from './database/memory.ts';
import type { Note } from './database/note.ts';
import type { FileRef } from './layout.ts';
import type { LiveLog } from './live-log.ts';
import type { FileFacts, OpenedFile } from './open-file.ts';
import type { FileContext } from './row-writer.ts';
import { NO_ROWS } from './tally.ts';

/** Everything capture knows of one source file. */
export interface Track {
  readonly ref: FileRef;
  /** Where reading stands, as sent to the keeper; undefined for a file never read. */
  cursor: Cursor | undefined;
  /** What the file was when it was last read or refused: unchanged means there is nothing to do. */
  seen: FileFacts | undefined;
  /** All that this run saw of it were its pins: it went away before. */
  wasGone: boolean;
  /** The log being followed, with the file held open so that an unlinked one can be read to its end. */
  live: LiveLog | undefined;
  held: OpenedFile | undefined;
  /** Monotonic time of the last read, for letting go of what is idle. */
  usedAt: number;
  /** A read that was put off to let several events become one. */
  window: Timer | undefined;
  /** Waits until an unfinished end counts as final. */
  settle: Timer | undefined;
  /** Documents: an unfinished value was seen in this state of the file. */
  tornAt: string | undefined;
  /** First read while the home is scanned for the first time; false once it was read to its end. */
  backfill: boolean;
  /** Found by a sweep over old files rather than by an event: delivered behind what is live. */
  bulk: boolean;
  /** Modification time, in milliseconds since 1970, of a file that a sweep found and that waits to be read. */
  foundMs: number | undefined;
  /** What the file gave since it was read from its start. */
  tally: Tally;
  /** No earlier run has read it, and this one not to its end. */
  isNew: boolean;
  failures: number;
  /** Databases: how often in a row it was being written when it was looked at. */
  moving: number;
  /** Why it could not be read when it was last tried. */
  trouble: string | undefined;
  /** Gave a row that is no complaint about the file: its format is understood. */
  productive: boolean;
  /** Databases: what is known of their records. */
  readonly database: DatabaseMemory;
  /** Number of the last full sweep that came across the file. */
  sweep: number;
}

export function newTrack(ref: FileRef, cursor: Cursor | undefined, notes = new Map<string, Note>()): Track {
  return {
    ref,
    cursor,
    seen: undefined,
    wasGone: false,
    live: undefined,
    held: undefined,
    usedAt: 0,
    window: undefined,
    settle: undefined,
    tornAt: undefined,
    backfill: false,
    bulk: false,
    foundMs: undefined,
    tally: cursor?.tally ?? NO_ROWS,
    isNew: cursor === undefined,
    failures: 0,
    moving: 0,
    trouble: undefined,
    productive:
      typeof cursor?.session === 'string' ||
      cursor?.productive === true ||
      (cursor !== undefined && ref.spec.kind === 'database'),
    database: newDatabaseMemory(notes),
    sweep: 0,
  };
}

/** Whether the file still is what it was when it was last read. */
export function isUnchanged(track: Track, facts: FileFacts): boolean {
  const { seen, cursor } = track;
  if (seen) return isSameState(seen, facts);
  return (
    cursor !== undefined && cursor.version === track.ref.root.source.version && isSameState(cursor, facts)
  );
}

export function isSameState(
  known: Pick<FileFacts, 'dev' | 'ino' | 'birthNs' | 'size' | 'mtimeNs' | 'beside'>,
  facts: FileFacts,
): boolean {
  return (
    known.size === facts.size &&
    known.mtimeNs === facts.mtimeNs &&
    known.ino === facts.ino &&
    known.dev === facts.dev &&
    known.birthNs === facts.birthNs &&
    known.beside === facts.beside
  );
}

export function fileContext(
  { ref }: Track,
  { user, backfill }: Pick<FileContext, 'user' | 'backfill'>,
): FileContext {
  return {
    agent: ref.root.source.id,
    sourceFile: ref.key,
    role: ref.spec.role,
    backfill,
    // Settings of the machine are nobody's: every home that tells them tells the same row.
    user: ref.root.place === 'system' ? null : user,
  };
}

/** Stops its timers and lets go of the file and the parser. */
export function release(track: Track): void {
  track.window?.cancel();
  track.settle?.cancel();
  track.window = undefined;
  track.settle = undefined;
  letGo(track);
}

/** Gives up the parser and the open file; the next change replays the log from its start. */
export function letGo(track: Track): void {
  track.held?.[Symbol.dispose]();
  track.held = undefined;
  track.live = undefined;
}
