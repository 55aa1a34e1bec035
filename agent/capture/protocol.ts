import type { Commit, CommitRows, Cursor, SessionFacts } from '../contract/commit.ts';
import { LANES, type Lane } from '../contract/row.ts';
import { ROW_ID_BYTES } from '../contract/row-id.ts';

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
  /** True until the first scan of this home is complete: its rows are backfill. */
  readonly firstScan: boolean;
  readonly quarantined: readonly string[];
}

export interface SourceInit {
  readonly id: string;
  /** Directories beside the source's own roots: absolute, or relative to the home. */
  readonly extraRoots: readonly string[];
}

export interface CaptureLimits {
  readonly coalesceMs: number;
  readonly settleMs: number;
  readonly maxLineBytes: number;
  readonly maxDocumentBytes: number;
  readonly maxTextBytes: number;
  readonly watch: 'auto' | 'poll';
  readonly pollMs: number;
}

export type SweepReason = 'start' | 'schedule' | 'resume' | 'watch_error' | 'request';

/** Keeper to capture. */
export type ToCapture =
  | { readonly type: 'init'; readonly init: CaptureInit }
  | { readonly type: 'cursors'; readonly cursors: readonly (readonly [string, Cursor])[] }
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
  | { readonly type: 'swept'; readonly reason: SweepReason; readonly first: boolean }
  | { readonly type: 'done' };

/** What a capture process says of itself, for health. */
export interface CaptureState {
  readonly watchMode: 'watching' | 'polling';
  readonly roots: readonly RootState[];
  readonly files: Readonly<Record<string, number>>;
  /** Those among them whose format is understood: they gave a row that is no complaint. */
  readonly parsed: Readonly<Record<string, number>>;
  /** Rows sent since the process started, by source, known ones included. */
  readonly rows: Readonly<Record<string, number>>;
  readonly unreadable: readonly string[];
  readonly waiting: number;
  readonly readBytes: number;
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
  readonly sessions: readonly SessionFacts[];
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
    sessions: rows.sessions,
  };
  return {
    header,
    payload:
      rows.count === 0 ? rows.lines : Buffer.concat([rows.ids, rows.sessionOf, rows.turns, rows.lines]),
  };
}

/** Takes a commit apart and checks its sizes; throws on a frame that does not add up. */
export function decodeCommit(header: CommitHeader, payload: Buffer): Commit {
  const { count } = header;
  const fixed = count * (ROW_ID_BYTES + 2 + 1);
  if (!Number.isSafeInteger(count) || count < 0 || payload.length < fixed || !LANES.includes(header.lane)) {
    throw new Error('a commit frame does not add up');
  }
  const sessionsAt = count * ROW_ID_BYTES;
  const turnsAt = sessionsAt + count * 2;
  const rows: CommitRows = {
    count,
    ids: payload.subarray(0, sessionsAt),
    sessionOf: payload.subarray(sessionsAt, turnsAt),
    turns: payload.subarray(turnsAt, fixed),
    lines: payload.subarray(fixed),
    sessions: header.sessions,
  };
  return { lane: header.lane, file: header.file, cursor: header.cursor, rows };
}
