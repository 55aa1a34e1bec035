import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { getMeta, setMeta } from './open.ts';

/** What a damaged or restored database cannot tell about itself: how far it once was. */
export interface EpochMarker {
  readonly epoch: string;
  readonly seq: number;
}

export interface EpochCheck {
  /** Rows that were numbered once and that this database does not know. */
  readonly lostRows: number;
}

const FILE = 'epoch.json';

/**
 * Compares the database with the marker beside it. A database that is behind lost commits (its write-ahead
 * log was removed, or a backup was restored), and would give numbers twice: it starts a new epoch, so that
 * the collector sees a gap in the old one and no contradiction in the new.
 */
export function checkEpoch(db: Database.Database, dir: string): EpochCheck {
  const marker = readMarker(dir);
  const nextSeq = Number(getMeta(db, 'next_seq') ?? '1');
  if (!marker || marker.epoch !== getMeta(db, 'epoch') || marker.seq < nextSeq) return { lostRows: 0 };
  setMeta(db, 'epoch', randomUUID());
  return { lostRows: marker.seq - nextSeq + 1 };
}

/** Written now and then, not with every commit: it may be behind the database, never ahead of it. */
export function writeMarker(dir: string, marker: EpochMarker): void {
  const file = join(dir, FILE);
  writeFileSync(`${file}.new`, `${JSON.stringify(marker)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readMarker(dir: string): EpochMarker | undefined {
  try {
    const { epoch, seq } = JSON.parse(readFileSync(join(dir, FILE), 'utf8')) as Partial<EpochMarker>;
    return typeof epoch === 'string' && typeof seq === 'number' ? { epoch, seq } : undefined;
  } catch {
    return undefined;
  }
}
