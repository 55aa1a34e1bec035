import type Database from 'better-sqlite3';
import { batchIdOf } from '../contract/batch.ts';
import type { Clock } from '../contract/clock.ts';
import type { Commit, CommitRows, Cursor, RecordNote } from '../contract/commit.ts';
import { linesOf } from '../contract/lines.ts';
import { LANES, type Lane } from '../contract/row.ts';
import { ROW_ID_BYTES, rowIdFromBytes } from '../contract/row-id.ts';
import {
  type Backlog,
  type BatchLimits,
  type CommitOutcome,
  noRows,
  type OutboxBatch,
  type Store,
} from '../contract/store.ts';
import { type CopyTable, createCopyTable } from './copies.ts';
import { createDays } from './days.ts';
import { createEpisodes } from './episodes.ts';
import { type EarlierEpoch, earlierEpochs } from './epoch.ts';
import { createForgetter, type Forgetter } from './forget.ts';
import { createKnownRows, type KnownRows } from './known-rows.ts';
import { getMeta, setMeta } from './open.ts';
import { createPruner } from './prune.ts';
import { sealSegment, unsealSegment } from './segment.ts';
import { createSessionIndex, type SessionIndex } from './sessions.ts';
import { prepareStatements, type Statements } from './statements.ts';

export interface StoreOptions {
  /** Bound on stored bytes that some sink has not taken. */
  readonly maxOutboxBytes: number;
  /** Rows that every sink has are kept this long for local commands, within keepBytes. */
  readonly keepMs: number;
  readonly keepBytes: number;
  /** How long a copy from a secondary source waits for a record that claims its name. */
  readonly copySettleMs: number;
  /** How long one waits whose record comes only when the model has answered. */
  readonly answerWaitMs: number;
}

interface Released {
  readonly lane: Lane;
  readonly added: number;
}

/** The store over an open database. Takes ownership: close() closes it. */
export function createStore(db: Database.Database, clock: Clock, options: StoreOptions): Store {
  if (getMeta(db, 'next_seq') === undefined) setMeta(db, 'next_seq', '1');
  return new SqliteStore(db, clock, options);
}

class SqliteStore implements Store {
  readonly epoch: string;
  readonly #earlier: readonly EarlierEpoch[];
  readonly #db: Database.Database;
  readonly #clock: Clock;
  readonly #options: StoreOptions;
  readonly #sql: Statements;
  readonly #sessions: SessionIndex;
  readonly #releaseAll: () => Released;
  readonly #commitAll: (home: string, commits: readonly Commit[]) => CommitOutcome;
  readonly #day: () => number;
  readonly #known: KnownRows;
  readonly #forgetter: Forgetter;
  readonly #copies: CopyTable;
  readonly #episode: ReturnType<typeof createEpisodes>;
  readonly #pruner: ReturnType<typeof createPruner>;
  #nextSeq: number;
  /** Stored bytes that the slowest sink still waits for; undefined until counted again. */
  #waiting: number | undefined;

  constructor(db: Database.Database, clock: Clock, options: StoreOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#options = options;
    this.#sql = prepareStatements(db);
    this.#sessions = createSessionIndex(db);
    this.#day = createDays(db, clock);
    this.#known = createKnownRows(db, this.#day);
    this.#forgetter = createForgetter(db, this.#day);
    this.#copies = createCopyTable(db, this.#day);
    this.#episode = createEpisodes(db);
    this.#pruner = createPruner(db, options);
    this.epoch = getMeta(db, 'epoch') ?? '';
    this.#earlier = earlierEpochs(db);
    this.#nextSeq = Number(getMeta(db, 'next_seq'));
    this.#releaseAll = db.transaction(() => this.#release()).immediate;
    this.#commitAll = db.transaction((home: string, commits: readonly Commit[]) =>
      this.#write(home, commits),
    ).immediate;
  }

  commit(home: string, commits: readonly Commit[]): CommitOutcome {
    const before = this.#nextSeq;
    try {
      return this.#commitAll(home, commits);
    } catch (error) {
      this.#nextSeq = before;
      this.#waiting = undefined;
      throw error;
    }
  }

  *cursors(home: string): Generator<readonly [string, Cursor]> {
    for (const { file, cursor: json } of this.#sql.cursors.all(home)) {
      const cursor = cursorFrom(json);
      if (cursor) yield [file, cursor];
    }
  }

  *records(home: string): Generator<readonly [file: string, note: RecordNote]> {
    for (const { file, name, note } of this.#sql.records.all(home)) yield [file, [name, note]];
  }

  take(sink: string, lane: Lane, limits: BatchLimits): OutboxBatch | undefined {
    const segments = this.#choose(this.#position(sink, lane), lane, limits);
    if (segments.length === 0) return undefined;
    const bodies: Buffer[] = [];
    const rowIds: string[] = [];
    let firstSeq = 0;
    for (const seg of segments) {
      const segment = this.#sql.body.get(seg);
      if (!segment) throw new Error(`segment ${seg} went away while it waited`);
      if (bodies.length === 0) firstSeq = segment.first_seq;
      bodies.push(unsealSegment(segment.body));
      for (let at = 0; at < segment.ids.length; at += ROW_ID_BYTES) {
        rowIds.push(rowIdFromBytes(segment.ids.subarray(at, at + ROW_ID_BYTES)));
      }
    }
    const ndjson = bodies.length === 1 && bodies[0] ? bodies[0] : Buffer.concat(bodies);
    const epoch = this.#epochOf(segments[0] ?? 0);
    const lastSeq = seqOfLastLine(ndjson, firstSeq, rowIds.length);
    return {
      id: batchIdOf(rowIds),
      lane,
      rows: rowIds.length,
      firstSeq,
      lastSeq,
      ndjson,
      rowIds,
      upTo: segments.at(-1) ?? 0,
      ...(epoch === undefined ? {} : { epoch }),
    };
  }

  settle(sink: string, batch: OutboxBatch, rejected: readonly { index: number; reason: string }[]): void {
    const move = this.#db.transaction(() => {
      if (rejected.length > 0) this.#bury(sink, batch, rejected, this.#clock.now());
      this.#sql.setPosition.run(sink, LANES.indexOf(batch.lane), batch.upTo);
    });
    if (rejected.length > 0) move.immediate();
    else this.#withoutSync(() => move.immediate());
    this.#waiting = undefined;
  }

  /**
   * For what may be forgotten: a position that a power cut takes back only means that rows are sent again under
   * the same ids. The next commit of rows syncs it too, so nothing later is ever kept without it.
   */
  #withoutSync(work: () => void): void {
    this.#db.pragma('synchronous = NORMAL');
    try {
      work();
    } finally {
      this.#db.pragma('synchronous = FULL');
    }
  }

  backlog(sink: string): Backlog {
    let [rows, bytes, oldest] = [0, 0, null as number | null];
    for (const [index, lane] of LANES.entries()) {
      const part = this.#sql.backlog.get(index, this.#position(sink, lane));
      if (!part) continue;
      rows += part.rows;
      bytes += part.bytes;
      if (part.oldest !== null) oldest = Math.min(oldest ?? part.oldest, part.oldest);
    }
    return { rows, bytes, oldest };
  }

  isFull(): boolean {
    return this.waitingBytes() >= this.#options.maxOutboxBytes;
  }

  waitingBytes(): number {
    this.#waiting ??= this.#pruner
      .slowest()
      .reduce((sum, [lane, seg]) => sum + (this.#sql.stored.get(lane, seg)?.stored ?? 0), 0);
    return this.#waiting;
  }

  prune(sinks: readonly string[], now: number): number {
    this.#waiting = undefined;
    this.#forgetter.step(now);
    return this.#pruner.prune(sinks, now);
  }

  lastSeq(): number {
    return this.#nextSeq - 1;
  }

  committedAfter(segment: number, limit: number) {
    return this.#sql.after
      .all(segment, limit)
      .map(({ seg, body }) => ({ segment: seg, ndjson: unsealSegment(body) }));
  }

  lastSegment(): number {
    return this.#sql.lastSegment.get()?.seg ?? 0;
  }

  isScanned(home: string): boolean {
    return getMeta(this.#db, `scanned ${home}`) !== undefined;
  }

  markScanned(home: string): void {
    const now = this.#clock.now();
    setMeta(this.#db, `scanned ${home}`, String(now));
    this.#copies.schedule(home, now + this.#options.copySettleMs);
  }

  releaseCopies(onRows: (lane: Lane, rows: number) => void = () => {}): number {
    if (!this.#copies.isDue(this.#clock.now())) return 0;
    const before = this.#nextSeq;
    try {
      const { lane, added } = this.#releaseAll();
      if (added > 0) onRows(lane, added);
      return added;
    } catch (error) {
      this.#nextSeq = before;
      this.#waiting = undefined;
      throw error;
    }
  }

  episode(name: string, goesOnMs: number): number {
    return this.#episode(name, this.#clock.now(), goesOnMs);
  }

  heldRows(): number {
    return this.#copies.count();
  }

  sessions(limit: number) {
    return this.#sessions.recent(limit);
  }

  findSessions(prefix: string) {
    return this.#sessions.find(prefix);
  }

  rowsOf(agent: string, session: string): Iterable<string> {
    return this.#sessions.rowsOf(agent, session);
  }

  deadRows(limit: number) {
    return this.#sql.dead.all(limit).map(({ row_id, ...rest }) => ({ ...rest, rowId: row_id }));
  }

  close(): void {
    this.#db.close();
  }

  #write(home: string, commits: readonly Commit[]): CommitOutcome {
    let total = 0;
    const byLane = noRows();
    const firstSeq = this.#nextSeq;
    for (const { rows, lane, isAhead = false, ...place } of commits) {
      this.#copies.claim(rows.claims);
      if (rows.copies.length > 0) this.#copies.hold(rows, { home, lane, due: this.#copyDue(home, isAhead) });
      else {
        byLane[lane] += this.#writeRows(lane, rows);
        total += rows.count;
      }
      this.#writeCursor(home, place);
      this.#writeRecords(home, place);
    }
    this.#saveNextSeq(firstSeq);
    const added = byLane.alert + byLane.live + byLane.backfill;
    return { added, duplicates: total - added, byLane };
  }

  #release(): Released {
    const firstSeq = this.#nextSeq;
    const released = this.#copies.release(this.#clock.now());
    const added = released ? this.#writeRows(released.lane, released.rows) : 0;
    this.#saveNextSeq(firstSeq);
    return { lane: released?.lane ?? 'live', added };
  }

  /** While a home is scanned for the first time the record may still be read, however long that takes. */
  #copyDue(home: string, isAhead: boolean): number | null {
    const { copySettleMs, answerWaitMs } = this.#options;
    if (!this.isScanned(home)) return null;
    return this.#clock.now() + (isAhead ? Math.max(copySettleMs, answerWaitMs) : copySettleMs);
  }

  #saveNextSeq(before: number): void {
    if (this.#nextSeq !== before) this.#sql.setNextSeq.run(String(this.#nextSeq));
  }

  #writeRows(lane: Lane, rows: CommitRows): number {
    const kept = this.#known.addNew(rows.ids, rows.count);
    if (kept.length === 0) return 0;
    const segment = sealSegment(rows, kept, this.#nextSeq);
    const { lastInsertRowid } = this.#sql.addSegment.run(
      LANES.indexOf(lane),
      segment.rows,
      segment.bytes,
      segment.body.length,
      this.#nextSeq,
      this.#clock.now(),
      segment.ids,
      segment.body,
    );
    this.#sessions.add(rows, kept, Number(lastInsertRowid));
    this.#nextSeq += segment.rows;
    if (this.#waiting !== undefined) this.#waiting += segment.body.length;
    return segment.rows;
  }

  #writeCursor(home: string, { file, cursor }: Pick<Commit, 'file' | 'cursor'>): void {
    if (file === null || cursor === undefined) return;
    if (cursor === null) this.#sql.dropCursor.run(home, file);
    else {
      const set = cursor.whole === true ? this.#sql.setWholeCursor : this.#sql.setCursor;
      set.run(home, file, JSON.stringify(cursor), this.#day());
    }
  }

  #writeRecords(
    home: string,
    { file, cursor, records = [] }: Pick<Commit, 'file' | 'cursor' | 'records'>,
  ): void {
    if (file === null) return;
    if (cursor === null) this.#sql.dropRecords.run(home, file);
    for (const [name, note] of records) {
      if (note === null) this.#sql.dropRecord.run(home, file, name);
      else this.#sql.setRecord.run(home, file, name, note);
    }
  }

  #choose(position: number, lane: Lane, limits: BatchLimits): number[] {
    const chosen: number[] = [];
    let [rows, bytes] = [0, 0];
    for (const head of this.#sql.heads.iterate(LANES.indexOf(lane), position)) {
      rows += head.rows;
      bytes += head.bytes;
      if (chosen.length > 0 && (rows > limits.maxRows || bytes > limits.maxBytes)) break;
      if (this.#epochOf(chosen[0] ?? head.seg) !== this.#epochOf(head.seg)) break;
      chosen.push(head.seg);
    }
    return chosen;
  }

  /** The epoch that numbered the rows of a segment; undefined for the present one. */
  #epochOf(seg: number): string | undefined {
    return this.#earlier.find(({ upTo }) => seg <= upTo)?.epoch;
  }

  #bury(
    sink: string,
    batch: OutboxBatch,
    rejected: readonly { index: number; reason: string }[],
    now: number,
  ): void {
    const lines = [...linesOf(batch.ndjson)];
    for (const { index, reason } of rejected) {
      const row = lines[index]?.toString('utf8') ?? '';
      this.#sql.addDead.run(sink, seqOf(row), batch.rowIds[index] ?? '', reason.slice(0, 500), now, row);
    }
  }

  #position(sink: string, lane: Lane): number {
    return this.#sql.position.get(sink, LANES.indexOf(lane))?.seg ?? 0;
  }
}

/** A cursor is only a shortcut: without it the file is read from its start. */
function cursorFrom(json: string): Cursor | undefined {
  try {
    return JSON.parse(json) as Cursor;
  } catch {
    return undefined;
  }
}

/** Rows of several commits of one lane may have numbers of another lane between them. */
function seqOfLastLine(ndjson: Buffer, firstSeq: number, rows: number): number {
  const start = ndjson.lastIndexOf(0x0a, ndjson.length - 2) + 1;
  return rows === 0 ? firstSeq : seqOf(ndjson.subarray(start, start + 40).toString('latin1'));
}

function seqOf(row: string): number {
  return Number(/^\{"seq":(\d+)/.exec(row)?.[1] ?? 0);
}
