import { hash } from 'node:crypto';
import type { Tally } from './lifecycle.ts';
import { type AgentId, type Lane, TURN_TYPES, type TurnType } from './row.ts';
import type { StandingEntry } from './source.ts';

/**
 * How far a log has been read and which file that was, so that it is known again after a restart.
 * Only a shortcut: without it the file is read from its start and the row ids make that a no-op.
 */
export interface Cursor {
  readonly source: AgentId;
  /** Version of the source that read it; another version reads the file again. */
  readonly version: number;
  /** Identity of the file: device, inode and birth time as decimal strings (they exceed 2^53). */
  readonly dev: string;
  readonly ino: string;
  readonly birthNs: string;
  readonly size: number;
  readonly mtimeNs: string;
  /** Bytes up to the end of the last complete line; for documents the whole size. */
  readonly offset: number;
  /** Complete lines up to offset. */
  readonly line: number;
  /** Hash of the first bytes up to offset (bounded), and of the last ones before it. */
  readonly head: string;
  readonly tail: string;
  /** Session id that the file gave, if any. */
  readonly session: string | null;
  /** The unfinished line behind the offset is over the limit and a row has said so: its end gives no other. */
  readonly restTold?: true;
  /** Read as a whole: all that the file can give was given with this reading. */
  readonly whole?: true;
  /** Files of role primary: what they gave so far. */
  readonly tally?: Tally;
  /** Databases: the state of what stood beside the file (see docs/reading.md). */
  readonly beside?: string;
  /** Standing files: the entries as last told, by key. */
  readonly standing?: Readonly<Record<string, StandingEntry>>;
  /** Documents: what the parser wants to see again with the next version of the file. */
  readonly memory?: string;
  /** Files read whole: they gave a row that is no complaint about them. */
  readonly productive?: boolean;
}

/** What a session is, for the local list of sessions. */
export interface SessionFacts {
  readonly agent: string;
  readonly session: string;
  readonly project: string | null;
  readonly user: string | null;
  /** Earliest and latest timestamp_utc among the rows of this commit, or null. */
  readonly first: string | null;
  readonly last: string | null;
}

/** Rows of one commit, already serialised: the keeper never parses them. */
export interface CommitRows {
  readonly count: number;
  /** count × 16 bytes: the row ids. */
  readonly ids: Buffer;
  /** count × 2 bytes, little endian: index into sessions, NO_SESSION for none. */
  readonly sessionOf: Buffer;
  /** count × 1 byte: index into TURN_TYPES. */
  readonly turns: Buffer;
  /** count lines, each a row as JSON without its `seq`, each ended by a line feed. */
  readonly lines: Buffer;
  readonly sessions: readonly SessionFacts[];
  /** Any number × 16 bytes: names that these rows claim, hashed; copies of them in secondary sources are no rows. */
  readonly claims: Buffer;
  /**
   * Empty, or count × 32 bytes: these rows are copies, each kept back until it is certain that nobody claims its
   * name (the first 16). Once it is a row it claims a name itself (the last 16; zeros for none).
   */
  readonly copies: Buffer;
}

/** Bytes of a hashed name in claims. */
export const CLAIM_BYTES = 16;
export const COPY_BYTES = 2 * CLAIM_BYTES;

/** The hash of a claimed name. Home and agent are part of it: nobody claims what another wrote. */
export function claimBytesOf(writer: { home: string; agent: string }, name: string): Buffer {
  const text = `claim\0${writer.home}\0${writer.agent}\0${name}`;
  return hash('sha256', text, 'buffer').subarray(0, CLAIM_BYTES);
}

export const NO_SESSION = 0xffff;

/** What is kept of one record of a database, by a name unique in its file; null forgets it. */
export type RecordNote = readonly [name: string, note: string | null];

/** One step that is made durable as a whole: rows, and how far their file was read. */
export interface Commit {
  readonly lane: Lane;
  /** Home-relative path of the source file, or absolute when it lies outside the home. */
  readonly file: string | null;
  /** Where reading stands after these rows; null forgets the file; undefined leaves it as it was. */
  readonly cursor: Cursor | null | undefined;
  readonly rows: CommitRows;
  /** Databases: what is kept of the records that these rows come from. Forgotten with the file. */
  readonly records?: readonly RecordNote[];
  /** These rows are copies whose records come only when the model has answered. */
  readonly isAhead?: boolean;
}

export const EMPTY_ROWS: CommitRows = {
  count: 0,
  ids: Buffer.alloc(0),
  sessionOf: Buffer.alloc(0),
  turns: Buffer.alloc(0),
  lines: Buffer.alloc(0),
  sessions: [],
  claims: Buffer.alloc(0),
  copies: Buffer.alloc(0),
};

export function turnIndex(turn: TurnType): number {
  return TURN_TYPES.indexOf(turn);
}

export const USER_TURN = turnIndex('user');
