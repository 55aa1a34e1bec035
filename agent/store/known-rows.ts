import type Database from 'better-sqlite3';
import { ROW_ID_BYTES } from '../contract/row-id.ts';

/** Ids of rows that were committed, each with the day on which its record was last read. */
export interface KnownRows {
  /** Inside a transaction: the places of the ids that are new; all of them are known from now on. */
  addNew(ids: Buffer, count: number): number[];
}

export function createKnownRows(db: Database.Database, day: () => number): KnownRows {
  const add = db.prepare<[Buffer, number]>('INSERT OR IGNORE INTO seen (id, day) VALUES (?, ?)');
  const sight = db.prepare<[number, Buffer, number]>('UPDATE seen SET day = ? WHERE id = ? AND day < ?');
  return {
    addNew(ids, count) {
      const today = day();
      const fresh: number[] = [];
      for (let row = 0; row < count; row++) {
        const id = ids.subarray(row * ROW_ID_BYTES, (row + 1) * ROW_ID_BYTES);
        if (add.run(id, today).changes === 1) fresh.push(row);
        else sight.run(today, id, today);
      }
      return fresh;
    },
  };
}
