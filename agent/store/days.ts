import type Database from 'better-sqlite3';
import type { Clock } from '../contract/clock.ts';
import { getMeta, setMeta } from './open.ts';

const DAY_MS = 86_400_000;

/**
 * The present day as a number that never falls, over restarts and clocks that are set back: what was noted later
 * has a number that is not lower. Call it inside a transaction, or where a lost note does no harm.
 */
export function createDays(db: Database.Database, clock: Clock): () => number {
  let last = Number(getMeta(db, 'day') ?? '0');
  return () => {
    const day = Math.floor(clock.now() / DAY_MS);
    if (day <= last) return last;
    last = day;
    setMeta(db, 'day', String(day));
    return day;
  };
}
