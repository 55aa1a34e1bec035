import type { Clock } from '../contract/clock.ts';
import { isoTime } from '../contract/clock.ts';
import { errnoOf, StoreError } from '../contract/errors.ts';
import type { Store } from '../contract/store.ts';
import { checkEpoch, type EpochCheck } from './epoch.ts';
import { type InstanceLock, lockInstance } from './instance-lock.ts';
import { askForCheck, openDatabase, prepareStateDir, setAside } from './open.ts';
import { createStore, type StoreOptions } from './store.ts';

export interface OpenStoreOptions extends StoreOptions {
  readonly dir: string;
  /** Our user id, where there is such a thing. */
  readonly uid: number | undefined;
  readonly pid: number;
  /** A database up to this size is checked whole at the start. */
  readonly fullCheckBytes?: number;
}

export interface OpenedStore {
  readonly store: Store;
  readonly lock: InstanceLock;
  /** Where a damaged database was put, if one was found. */
  readonly setAside: string | undefined;
  /** Rows that an earlier run had numbered and that are not there any more. */
  readonly lostRows: number;
  /** The same in a sentence; null when all is well. */
  readonly trouble: string | null;
  /** Other bounds from now on. */
  configure(options: StoreOptions): void;
}

/**
 * Opens the state directory for the one Holdfast that may use it. A damaged database is moved away and a
 * new one begun: everything that still stands in the sources is then read again.
 */
export function openStore(clock: Clock, options: OpenStoreOptions): OpenedStore {
  const { dir } = options;
  prepareStateDir(dir, options.uid);
  const lock = lockInstance(dir, options.pid);
  try {
    const { db, damaged } = openOrSetAside(options, clock);
    const { lostRows, isRestored } = checkEpoch(db, dir);
    const bounds = { ...options };
    return {
      store: noteDamage(createStore(db, clock, bounds), dir),
      configure: (next) => void Object.assign(bounds, next),
      lock,
      setAside: damaged,
      lostRows,
      trouble: troubleOf(damaged, { lostRows, isRestored }),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A page that turns out to be damaged while rows are written or read is looked for at the next start. */
function noteDamage(store: Store, dir: string): Store {
  const noting = <A extends unknown[], R>(work: (...args: A) => R) => {
    return (...args: A): R => {
      try {
        return work(...args);
      } catch (error) {
        if (/^SQLITE_(CORRUPT|NOTADB)/.test(errnoOf(error) ?? '')) askForCheck(dir);
        throw error;
      }
    };
  };
  store.commit = noting(store.commit.bind(store));
  store.take = noting(store.take.bind(store));
  return store;
}

function openOrSetAside({ dir, fullCheckBytes }: OpenStoreOptions, clock: Clock) {
  try {
    return { db: openDatabase(dir, fullCheckBytes), damaged: undefined };
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'STORE_DAMAGED') throw error;
    const damaged = setAside(dir, isoTime(clock.now()));
    return { db: openDatabase(dir), damaged };
  }
}

function troubleOf(damaged: string | undefined, { lostRows, isRestored }: EpochCheck): string | null {
  if (damaged !== undefined)
    return `the database was damaged and set aside as ${damaged}; the sources are read again`;
  if (!isRestored) return null;
  const lost =
    lostRows > 0 ? `${lostRows} rows of an earlier run are missing here` : 'an older state was found';
  return `${lost}; what still stands in the sources is read again, in a new epoch`;
}
