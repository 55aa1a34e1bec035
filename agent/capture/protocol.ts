import {
  CLAIM_BYTES,
  COPY_BYTES,
  type Commit,
  type CommitRows,
  type Cursor,
  NO_SESSION,
  type RecordNote,
  type SessionFacts,
} from '../contract/commit.ts';
import { LANES, type Lane, TURN_TYPES } from '../contract/row.ts';
import { ROW_ID_BYTES } from '../contract/row-id.ts';

const LINE_FEED = 0x0a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** No frame between keeper and capture is larger; a single row is bounded far below. */
export const MAX_FRAME_BYTES = 256 * 1024 * 1024;

/** What one capture process is told at its start. */
export interface CaptureInit {
  readonly home: string;
  readonly user: string | null;
  /** Owner that files must have (POSIX); null accepts any, for copied homes. */
  readonly ownerUid: number | null;
  readonly mode: 'watch' | 'once';
  readonly sources: readonly SourceInit[];
  readonly host: { readonly id: string; readonly name: string };
  readonly labels: Readonly<Record<string, string>>;
  readonly limits: CaptureLimits;
  /** Where source files are pinned; null: they are not. */
  readonly vault: VaultInit | null;
  /** True until the first scan of this home is complete: its rows are backfill. */
  readonly firstScan: boolean;
  readonly quarantined: readonly string[];
}

export interface VaultInit {
  readonly dir: string;
  readonly maxCopyBytes: number;
  /** Pinning was turned off: what is left of earlier runs is read and let go, and nothing new is pinned. */
  readonly closing: boolean;
}

export interface SourceInit {
  readonly id: string;
  /** Directories beside the source's own roots: absolute, or relative to the home. */
  readonly extraRoots: readonly string[];
  /** Directories with settings of the machine. */
  readonly systemRoots: readonly string[];
  /** Single files elsewhere, by the name of their spec; absolute, or relative to the home. */
  readonly extraFiles: readonly { readonly spec: string; readonly path: string }[];
}

export interface CaptureLimits {
  readonly coalesceMs: number;
  readonly settleMs: number;
  readonly maxLineBytes: number;
  readonly maxDocumentBytes: number;
  readonly maxTextBytes: number;
  /** Whether live rows tell the branch of their project and the process that writes the session. */
  readonly enrichLive: boolean;
  readonly watch: 'auto' | 'poll';
  readonly pollMs: number;
}

export type SweepReason = 'start' | 'schedule' | 'resume' | 'watch_error' | 'request';

/** Keeper to capture. */
export type ToCapture =
  | { readonly type: 'init'; readonly init: CaptureInit }
  | { readonly type: 'cursors'; readonly cursors: readonly (readonly [string, Cursor])[] }
  | { readonly type: 'records'; readonly records: readonly (readonly [string, RecordNote])[] }
  | { readonly type: 'start' }
  | { readonly type: 'ack'; readonly n: number }
  | { readonly type: 'sweep'; readonly full: boolean; readonly reason: SweepReason }
  | { readonly type: 'quarantine'; readonly files: readonly string[] }
  | { readonly type: 'stop' };

/** Capture to keeper. */
export type FromCapture =
  | CommitHeader
  | { readonly type: 'at'; readonly file: string | null }
  | {
      readonly type: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly message: string;
      readonly fields: Record<string, string | number | boolean | null>;
    }
  | {
      readonly type: 'count';
      readonly name: string;
      readonly amount: number;
      readonly labels: Record<string, string>;
    }
  | { readonly type: 'state'; readonly state: CaptureState }
  | { readonly type: 'waiting'; readonly files: number }
  | { readonly type: 'swept'; readonly reason: SweepReason; readonly first: boolean }
  | { readonly type: 'done' };

/** What a capture process says of itself, for health. */
export interface CaptureState {
  readonly watchMode: 'watching' | 'polling';
  readonly roots: readonly RootState[];
  readonly files: Readonly<Record<string, number>>;
  /** Those among them whose format is understood; where a source has records, settings do not count (describe.ts). */
  readonly parsed: Readonly<Record<string, number>>;
  /** Rows sent since the process started, by source, known ones included. */
  readonly rows: Readonly<Record<string, number>>;
  readonly unreadable: readonly string[];
  /** Files that wait to be read, whose unfinished end waits to be final, or whose absence waits to be believed. */
  readonly waiting: number;
  /** The soonest that the coding agent may delete one of the files that wait to be read; null: none is in danger. */
  readonly minDaysToExpiry: number | null;
  readonly readBytes: number;
  /** Source files that are pinned. */
  readonly pinned: number;
  /** Milliseconds since 1970, or null before the first one ended. */
  readonly lastFullSweep: number | null;
}

export interface RootState {
  readonly source: string;
  readonly path: string;
  readonly present: boolean;
}

export interface CommitHeader {
  readonly type: 'commit';
  readonly n: number;
  readonly lane: Lane;
  readonly file: string | null;
  readonly cursor?: Cursor | null;
  readonly count: number;
  readonly claims: number;
  readonly copies: boolean;
  readonly isAhead?: boolean;
  readonly sessions: readonly SessionFacts[];
  readonly records?: readonly RecordNote[];
}

export function encodeCommit(n: number, commit: Commit): { header: CommitHeader; payload: Buffer } {
  const { rows } = commit;
  const header: CommitHeader = {
    type: 'commit',
    n,
    lane: commit.lane,
    file: commit.file,
    ...(commit.cursor === undefined ? {} : { cursor: commit.cursor }),
    count: rows.count,
    claims: rows.claims.length / CLAIM_BYTES,
    copies: rows.copies.length > 0,
    ...(commit.isAhead && { isAhead: true }),
    sessions: rows.sessions,
    ...(commit.records === undefined ? {} : { records: commit.records }),
  };
  if (rows.count === 0) return { header, payload: rows.lines };
  return {
    header,
    payload: Buffer.concat([rows.ids, rows.sessionOf, rows.turns, rows.claims, rows.copies, rows.lines]),
  };
}

/**
 * Takes a commit apart and checks everything the store relies on: what it cannot write would make the commits
 * of every home wait for ever, and a capture process runs as its user. Throws on a frame that does not add up.
 */
export function decodeCommit(header: CommitHeader, payload: Buffer): Commit {
  const { count, claims, copies, lane, file, cursor, sessions, records } = header;
  if (!isCount(count) || !LANES.includes(lane) || !isText(file)) throw misfit();
  if (cursor !== undefined && typeof cursor !== 'object') throw misfit();
  if (!Array.isArray(sessions) || !sessions.every(isSession)) throw misfit();
  if (!isCount(claims) || !areNotes(records)) throw misfit();
  const cut = cutter(payload);
  const rows: CommitRows = {
    count,
    ids: cut(count * ROW_ID_BYTES),
    sessionOf: cut(count * 2),
    turns: cut(count),
    claims: cut(claims * CLAIM_BYTES),
    copies: cut(copies === true ? count * COPY_BYTES : 0),
    lines: cut(),
    sessions,
  };
  if (!isConsistent(rows)) throw misfit();
  return {
    lane,
    file,
    cursor,
    rows,
    ...(header.isAhead === true && { isAhead: true }),
    ...(records === undefined ? {} : { records }),
  };
}

/** Hands out the next bytes of a payload, or all that is left. */
function cutter(payload: Buffer): (bytes?: number) => Buffer {
  let at = 0;
  return (bytes = payload.length - at) => {
    if (at + bytes > payload.length) throw misfit();
    at += bytes;
    return payload.subarray(at - bytes, at);
  };
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function misfit(): Error {
  return new Error('a commit frame does not add up');
}

function isSession(facts: SessionFacts): boolean {
  const { agent, session, project, user, first, last } = Object(facts) as SessionFacts;
  return agent !== null && session !== null && [agent, session, project, user, first, last].every(isText);
}

/** The other end may be anyone: what it wants kept is bounded. */
function areNotes(records: readonly RecordNote[] | undefined): boolean {
  if (records === undefined) return true;
  return (
    Array.isArray(records) &&
    records.every(([name, note]) => isShort(name, 512) && isShort(note ?? '', 64 * 1024))
  );
}

function isShort(value: unknown, most: number): boolean {
  return typeof value === 'string' && value.length <= most;
}

function isText(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function isConsistent({ count, sessionOf, turns, lines, sessions }: CommitRows): boolean {
  for (let row = 0; row < count; row++) {
    const session = sessionOf.readUInt16LE(row * 2);
    if (session !== NO_SESSION && session >= sessions.length) return false;
  }
  return turns.every((turn) => turn < TURN_TYPES.length) && objectLines(lines) === count;
}

/** Lines that look like objects, as numbering them wants; -1 when something else is among them. */
function objectLines(lines: Buffer): number {
  let [found, start] = [0, 0];
  for (let end = lines.indexOf(LINE_FEED); end !== -1; end = lines.indexOf(LINE_FEED, start)) {
    if (end - start < 2 || lines[start] !== OPEN_BRACE || lines[end - 1] !== CLOSE_BRACE) return -1;
    found++;
    start = end + 1;
  }
  return start === lines.length ? found : -1;
}
