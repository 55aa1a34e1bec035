import { type Clock, isoTime } from '../contract/clock.ts';
import type { Commit, Cursor, RecordNote } from '../contract/commit.ts';
import type { DraftRow } from '../contract/row.ts';
import type { Source } from '../contract/source.ts';
import type { Enrich } from './live/enrich.ts';
import { type HostContext, laneOf, RowWriter } from './row-writer.ts';
import { tallied } from './tally.ts';
import { fileContext, type Track } from './track.ts';

/** Where commits go; the keeper answers when they are durable. */
export interface CommitPort {
  commit(commit: Commit): void;
  /** Resolves when so little is unanswered that more may be sent. */
  room(): Promise<void>;
  /** Resolves when everything was answered. */
  settled(): Promise<void>;
}

/** One commit stays near this size, so that neither process holds much at once. */
const MAX_ROWS = 500;
const MAX_BYTES = 512 * 1024;

/** A file that gives this much at once is handed on before its reader has come to the end. */
const HARD_ROWS = 8 * MAX_ROWS;
const HARD_BYTES = 8 * MAX_BYTES;

export interface Outlet {
  /** Takes a row of a source file. */
  emit(track: Track, draft: DraftRow): void;
  /** Whether enough has come together for a commit. */
  isFull(): boolean;
  /** Rows taken so far, by source. */
  rows(): Readonly<Record<string, number>>;
  /**
   * Hands on what has come together, and with it how far the file was read (see Commit.cursor) and what is kept of
   * the records that the rows come from.
   */
  flush(track: Track, cursor: Cursor | null | undefined, records?: readonly RecordNote[]): void;
}

/** Alerting rows go ahead in a commit of their own; the cursor always travels with the last one. */
export function createOutlet(deps: {
  port: CommitPort;
  host: HostContext;
  user: string | null;
  clock: Clock;
  /** Adds to live rows what only the moment can tell. */
  enrich?: Enrich | undefined;
  /** A row named its project. */
  onProject?: (source: Source, project: string) => void;
}): Outlet {
  const { port, host, user, clock, onProject, enrich = (_track, draft) => draft } = deps;
  const alerts = new RowWriter(host);
  const others = new RowWriter(host);
  const copies = new RowWriter(host);
  const taken: Record<string, number> = {};
  const observedAt = timeTeller(clock);
  const since = observedAt();

  /**
   * What the first scan finds is backfill, but for records of the time since it began: of a session that goes on
   * meanwhile, or a file that was made meanwhile.
   */
  function isBackfill(track: Track, draft: DraftRow): boolean {
    if (!track.backfill) return false;
    const at = draft.timestamp_utc ?? birthOf(track);
    return at === undefined || at <= since || at > observedAt();
  }

  function writerFor({ bulk }: Track, draft: DraftRow, backfill: boolean): RowWriter {
    if (draft.copyOf !== undefined) return copies;
    return laneOf(draft, backfill || bulk) === 'alert' ? alerts : others;
  }

  function flush(track: Track, cursor: Cursor | null | undefined, records: readonly RecordNote[] = []): void {
    const file = track.ref.key;
    if (alerts.count > 0) port.commit({ lane: 'alert', file, cursor: undefined, rows: alerts.take() });
    const lane = track.backfill || track.bulk ? 'backfill' : 'live';
    if (copies.count > 0) {
      const { isAhead = false } = track.ref.spec;
      port.commit({ lane, file, cursor: undefined, rows: copies.take(), ...(isAhead && { isAhead }) });
    }
    if (others.count === 0 && cursor === undefined && records.length === 0) return;
    port.commit({ lane, file, cursor, rows: others.take(), ...(records.length > 0 && { records }) });
  }

  return {
    emit(track, draft) {
      const { id } = track.ref.root.source;
      taken[id] = (taken[id] ?? 0) + 1;
      if (draft.event !== 'parser.error') track.productive = true;
      if (draft.project_path != null) onProject?.(track.ref.root.source, draft.project_path);
      if (draft.copyOf === undefined) track.tally = tallied(track.tally, draft);
      const backfill = isBackfill(track, draft);
      const writer = writerFor(track, draft, backfill);
      const told = backfill || track.bulk ? draft : enrich(track, draft);
      writer.add(told, fileContext(track, { user, backfill }), observedAt());
      if (writer.count >= HARD_ROWS || writer.bytes >= HARD_BYTES) flush(track, undefined);
    },
    rows: () => ({ ...taken }),
    isFull: () =>
      [alerts, others, copies].some(({ count, bytes }) => count >= MAX_ROWS || bytes >= MAX_BYTES),
    flush,
  };
}

function birthOf({ seen }: Track): string | undefined {
  return seen && isoTime(Number(BigInt(seen.birthNs) / 1_000_000n));
}

/** The time as text, made anew only when the millisecond is another one: many rows share it. */
function timeTeller(clock: Clock): () => string {
  let [ms, text] = [-1, ''];
  return () => {
    const now = clock.now();
    if (now !== ms) [ms, text] = [now, isoTime(now)];
    return text;
  };
}
