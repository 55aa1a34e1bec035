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
  /** Rows that were numbered once and that this database does not know, as far as the marker tells. */
  readonly lostRows: number;
  /** The database is not the one that was in use last. */
  readonly isRestored: boolean;
}

/** Segments up to this one were numbered in another epoch than the present one. */
export interface EarlierEpoch {
  readonly epoch: string;
  readonly upTo: number;
}

const FILE = 'epoch.json';

/**
 * Compares the database with the marker beside it. A database that is behind lost commits (its write-ahead
 * log was removed, or a backup was restored), and would give numbers twice: it starts a new epoch, whose numbers
 * begin at 1. What still waits keeps the epoch that numbered it, so neither has a gap that is none.
 */
export function checkEpoch(db: Database.Database, dir: string): EpochCheck {
  const marker = readMarker(dir);
  const epoch = getMeta(db, 'epoch') ?? '';
  const nextSeq = Number(getMeta(db, 'next_seq') ?? '1');
  const isOther = marker !== undefined && marker.epoch !== epoch;
  const isBehind = marker !== undefined && (isOther ? nextSeq > 1 : marker.seq >= nextSeq);
  if (!isBehind) {
    // A database made anew, which is not to be taken for a restored one after a kill before its first mark.
    if (isOther) writeMarker(dir, { epoch, seq: 0 });
    return { lostRows: 0, isRestored: false };
  }
  const next = randomUUID();
  db.transaction(() => {
    const earlier = [...earlierEpochs(db), { epoch, upTo: lastSegment(db) }];
    setMeta(db, 'earlier_epochs', JSON.stringify(earlier));
    setMeta(db, 'epoch', next);
    setMeta(db, 'next_seq', '1');
  }).immediate();
  writeMarker(dir, { epoch: next, seq: 0 });
  return { lostRows: isOther ? 0 : marker.seq - nextSeq + 1, isRestored: true };
}

/** Oldest first. */
export function earlierEpochs(db: Database.Database): readonly EarlierEpoch[] {
  return JSON.parse(getMeta(db, 'earlier_epochs') ?? '[]') as EarlierEpoch[];
}

/** The highest number that a segment ever had here. */
function lastSegment(db: Database.Database): number {
  const last = db.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'segments'");
  return last.get()?.seq ?? 0;
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
