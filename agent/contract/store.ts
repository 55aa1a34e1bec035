import type { Commit, Cursor, RecordNote } from './commit.ts';
import type { Lane } from './row.ts';
import type { Batch } from './sink.ts';

/**
 * Limits of one batch. At least one segment is always taken from the outbox, since positions are between segments;
 * one that is over the limits is sent in several requests.
 */
export interface BatchLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
}

/** A batch together with the place in the outbox that its ack moves a position to. */
export interface OutboxBatch extends Batch {
  readonly upTo: number;
}

/** No rows yet, by lane. */
export function noRows(): Record<Lane, number> {
  return { alert: 0, live: 0, backfill: 0 };
}

export interface CommitOutcome {
  /** Rows that were new; the others were known by their ids. */
  readonly added: number;
  readonly duplicates: number;
  /** The new rows by their lanes. */
  readonly byLane: Readonly<Record<Lane, number>>;
}

/** What waits in the outbox for one sink. */
export interface Backlog {
  readonly rows: number;
  readonly bytes: number;
  /** Milliseconds since 1970 of the oldest commit that waits, or null. */
  readonly oldest: number | null;
}

export interface SessionSummary {
  readonly agent: string;
  readonly session: string;
  readonly project: string | null;
  readonly user: string | null;
  readonly first: string | null;
  readonly last: string | null;
  readonly rows: number;
  readonly prompts: number;
}

/** A row that a sink refused for good, kept aside so that it blocks nothing. */
export interface DeadRow {
  readonly sink: string;
  readonly seq: number;
  readonly rowId: string;
  readonly reason: string;
  readonly at: number;
}

/** Rows of one commit as they stand in the outbox. */
export interface CommittedRows {
  /** Number of the segment; later commits have larger ones. */
  readonly segment: number;
  readonly ndjson: Buffer;
}

/** The one owner of the state database. Every verb is synchronous and durable when it returns. */
export interface Store {
  /** Names one life of this database; a new one starts `seq` again. */
  readonly epoch: string;
  /** Rows, cursors and outbox in one transaction, for any number of commits. */
  commit(home: string, commits: readonly Commit[]): CommitOutcome;
  cursors(home: string): Iterable<readonly [file: string, cursor: Cursor]>;
  /** What is kept of the records of databases. */
  records(home: string): Iterable<readonly [file: string, note: RecordNote]>;
  /** Makes rows of the copies whose time is over and whose names nobody claimed; returns how many, and tells their lane. */
  releaseCopies(onRows?: (lane: Lane, rows: number) => void): number;
  /** Copies that are kept back until it is certain that nobody claims their names. */
  heldRows(): number;
  take(sink: string, lane: Lane, limits: BatchLimits): OutboxBatch | undefined;
  /** Moves the sink's position in the lane; rows listed in `rejected` are set aside with their reason. */
  settle(sink: string, batch: OutboxBatch, rejected: readonly { index: number; reason: string }[]): void;
  backlog(sink: string): Backlog;
  /** Stored bytes that some sink has not taken yet. */
  waitingBytes(): number;
  /** Whether they have reached the configured bound. */
  isFull(): boolean;
  /** Forgets positions of sinks that are no longer configured and rows that every sink has. */
  prune(sinks: readonly string[], now: number): number;
  lastSeq(): number;
  /** Rows committed after a segment, oldest first, at most `limit` segments; for following live. */
  committedAfter(segment: number, limit: number): CommittedRows[];
  lastSegment(): number;
  /** Whether the first scan of a home was completed once. */
  isScanned(home: string): boolean;
  markScanned(home: string): void;
  /** When what is told under this name began, in ms since 1970; anew when it was last told longer ago than this. */
  episode(name: string, goesOnMs: number): number;
  sessions(limit: number): SessionSummary[];
  /** Sessions whose id starts with the given text. */
  findSessions(prefix: string): SessionSummary[];
  /** Rows of a session that are still held locally, oldest first, as JSON lines. */
  rowsOf(agent: string, session: string): Iterable<string>;
  deadRows(limit: number): DeadRow[];
  close(): void;
}
