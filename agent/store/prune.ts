import type Database from 'better-sqlite3';
import { LANES } from '../contract/row.ts';

/** Segments removed in one transaction, so that a prune never holds the database long. */
const SLICE = 200;

export interface PruneOptions {
  readonly keepMs: number;
  readonly keepBytes: number;
}

/** What every sink has taken may go, oldest first: after keepMs, or earlier when it takes more than keepBytes. */
export function createPruner(db: Database.Database, options: PruneOptions) {
  let sinks: readonly string[] = [];
  const position = db.prepare<[string, number], { seg: number }>(
    'SELECT seg FROM positions WHERE sink = ? AND lane = ?',
  );
  const dropOther = db.prepare<[string]>(
    'DELETE FROM positions WHERE sink NOT IN (SELECT value FROM json_each(?))',
  );
  const expired = db.prepare<[number, number, number, number], { seg: number }>(
    'SELECT seg FROM segments WHERE lane = ? AND seg <= ? AND committed_at < ? ORDER BY seg LIMIT ?',
  );
  const delivered = db.prepare<[number, number], { stored: number }>(
    'SELECT coalesce(sum(stored), 0) stored FROM segments INDEXED BY segments_by_lane WHERE lane = ? AND seg <= ?',
  );
  const oldest = db.prepare<[number, number, number], { seg: number; stored: number }>(
    'SELECT seg, stored FROM segments INDEXED BY segments_by_lane WHERE lane = ? AND seg <= ? ORDER BY seg LIMIT ?',
  );
  const drop = db.prepare<[number]>('DELETE FROM segments WHERE seg = ?');
  const unlink = db.prepare<[number]>('DELETE FROM session_segments WHERE seg = ?');
  const removeAll = db.transaction((segments: readonly number[]) => {
    for (const seg of segments) {
      drop.run(seg);
      unlink.run(seg);
    }
  });

  /** Per lane, the last segment that every configured sink has taken. */
  function slowest(): [lane: number, seg: number][] {
    return LANES.map((_, lane) => {
      const taken = sinks.map((sink) => position.get(sink, lane)?.seg ?? 0);
      return [lane, taken.length === 0 ? 0 : Math.min(...taken)];
    });
  }

  function dropExpired(lane: number, upTo: number, before: number): number {
    const due = expired.all(lane, upTo, before, SLICE).map(({ seg }) => seg);
    removeAll.immediate(due);
    return due.length;
  }

  /** The bound is one for all lanes together; segment numbers tell what is older across them. */
  function dropExcess(taken: readonly (readonly [lane: number, upTo: number])[]): number {
    let excess = -options.keepBytes;
    for (const [lane, upTo] of taken) excess += delivered.get(lane, upTo)?.stored ?? 0;
    const due: number[] = [];
    const candidates = excess > 0 ? taken.flatMap(([lane, upTo]) => oldest.all(lane, upTo, SLICE)) : [];
    for (const { seg, stored } of candidates.sort((a, b) => a.seg - b.seg).slice(0, SLICE)) {
      if (excess <= 0) break;
      excess -= stored;
      due.push(seg);
    }
    removeAll.immediate(due);
    return due.length;
  }

  return {
    slowest,
    /** Returns how many segments went; call again while it returns more than none. */
    prune(configured: readonly string[], now: number): number {
      sinks = [...configured];
      dropOther.run(JSON.stringify(sinks));
      const taken = slowest();
      let dropped = 0;
      for (const [lane, upTo] of taken) dropped += dropExpired(lane, upTo, now - options.keepMs);
      return dropped + dropExcess(taken);
    },
  };
}
