import type Database from 'better-sqlite3';
import { rowIdBytes } from '../agent/contract/row-id.ts';
import { coverOf, rangesOf, type SeqRange } from './gaps.ts';
import type { KnownRow, LineVerdict } from './row-form.ts';
import { createSessionTable } from './sessions.ts';

/** Who sent a batch: `seq` is gapless within one epoch of one host. */
export interface Sender {
  readonly host: string;
  readonly epoch: string;
}

export interface Rejection {
  readonly index: number;
  readonly row_id: string | null;
  readonly reason: string;
}

export interface Stored {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly Rejection[];
}

export interface CollectorStore {
  /** Keeps the rows that are new, all in one transaction that is durable when this returns. */
  ingest(sender: Sender, lines: readonly LineVerdict[], now: number): Stored;
  /** Forgets rows received before the time, a bounded number at once; returns how many. */
  prune(before: number): number;
}

const PRUNED_AT_ONCE = 2000;

const HEARTBEAT = /(^|\.)heartbeat$/;

export function createCollectorStore(db: Database.Database): CollectorStore {
  const ingest = createIngest(db);
  const pruneRows = db.prepare<[number]>(
    `DELETE FROM rows WHERE id IN (SELECT id FROM rows WHERE received_at < ? LIMIT ${PRUNED_AT_ONCE})`,
  );
  const pruneSessions = db.prepare<[number]>('DELETE FROM sessions WHERE last_received < ?');
  const prune = db.transaction((before: number) => {
    pruneSessions.run(before);
    return pruneRows.run(before).changes;
  });
  return {
    ingest: (sender, lines, now) => ingest.immediate(sender, lines, now),
    prune: (before) => prune.immediate(before),
  };
}

function createIngest(db: Database.Database) {
  const insert = db.prepare(
    `INSERT OR IGNORE INTO rows (row_id, host, epoch, seq, agent, session, event, received_at, json)
     VALUES (@rowId, @host, @epoch, @seq, @agent, @session, @event, @now, @json)`,
  );
  const sessions = createSessionTable(db);
  const account = createAccounting(db);
  const touch = createHostTable(db);

  function keep(sender: Sender, row: KnownRow, { json, now }: { json: string; now: number }): boolean {
    const { seq, agent, session_id: session, event } = row;
    const rowId = rowIdBytes(row.row_id);
    return insert.run({ ...sender, rowId, seq, agent, session, event, now, json }).changes === 1;
  }

  return db.transaction((sender: Sender, lines: readonly LineVerdict[], now: number): Stored => {
    const fresh: KnownRow[] = [];
    const rejected: Rejection[] = [];
    const seqs: number[] = [];
    for (const [index, line] of lines.entries()) {
      const seq = line.kind === 'row' ? line.row.seq : line.seq;
      if (seq !== null) seqs.push(seq);
      if (line.kind === 'bad') rejected.push({ index, row_id: line.rowId, reason: line.reason });
      else if (keep(sender, line.row, { json: line.json, now })) fresh.push(line.row);
    }
    for (const range of rangesOf(seqs)) account(sender, range);
    sessions.add(sender.host, fresh, now);
    touch(sender, fresh, now);
    return { accepted: fresh.length, duplicates: lines.length - fresh.length - rejected.length, rejected };
  });
}

/** Joins a range of numbers with those that are known already and that it touches. */
function createAccounting(db: Database.Database): (sender: Sender, range: SeqRange) => void {
  const below = db.prepare<unknown[], SeqRange>(
    'SELECT first, last FROM ranges WHERE host = ? AND epoch = ? AND first <= ? ORDER BY first DESC',
  );
  const remove = db.prepare('DELETE FROM ranges WHERE host = ? AND epoch = ? AND first = ?');
  const insert = db.prepare('INSERT INTO ranges (host, epoch, first, last) VALUES (?, ?, ?, ?)');
  return ({ host, epoch }, range) => {
    const touching = [range];
    for (const known of below.iterate(host, epoch, range.last + 1)) {
      if (known.last < range.first - 1) break;
      touching.push(known);
    }
    for (const { first } of touching.slice(1)) remove.run(host, epoch, first);
    const { first, last } = coverOf(touching);
    insert.run(host, epoch, first, last);
  };
}

function createHostTable(db: Database.Database) {
  const upsert = db.prepare(
    `INSERT INTO hosts (host, epoch, host_name, rows, first_seen, last_seen, heartbeat)
     VALUES (@host, @epoch, @name, @rows, @now, @now, @heartbeat)
     ON CONFLICT (host, epoch) DO UPDATE SET rows = rows + excluded.rows, last_seen = excluded.last_seen,
       host_name = coalesce(excluded.host_name, host_name), heartbeat = coalesce(excluded.heartbeat, heartbeat)`,
  );
  return (sender: Sender, fresh: readonly KnownRow[], now: number) => {
    const beat = fresh.findLast(({ event }) => event !== null && HEARTBEAT.test(event));
    const heartbeat = beat ? JSON.stringify({ at: beat.timestamp_utc, attributes: beat.attributes }) : null;
    const name = fresh.at(-1)?.host_name ?? null;
    upsert.run({ ...sender, name, rows: fresh.length, now, heartbeat });
  };
}
