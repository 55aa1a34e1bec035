import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { DATABASE_FILE } from '../../agent/store/open.ts';

/** Looks into the state database of a running agent: what another connection sees is committed. */
export interface StateReader {
  isScanned(home: string): boolean;
  /** Rows of segments committed since the last call, as NDJSON. */
  newRows(): Buffer[];
  close(): void;
}

/** Whether the database is there and has its tables. */
export function hasState(stateDir: string): boolean {
  if (!existsSync(join(stateDir, DATABASE_FILE))) return false;
  const db = new Database(join(stateDir, DATABASE_FILE), { readonly: true });
  const version = Number(db.pragma('user_version', { simple: true }));
  db.close();
  return version > 0;
}

export function readState(stateDir: string): StateReader {
  const db = new Database(join(stateDir, DATABASE_FILE), { readonly: true });
  const version = db.prepare<[], number>('PRAGMA data_version').pluck();
  const after = db.prepare<[number], { seg: number; body: Buffer }>(
    'SELECT seg, body FROM segments WHERE seg > ? ORDER BY seg',
  );
  const scanned = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?');
  let [seenVersion, seenSegment] = [-1, 0];
  return {
    isScanned: (home) => scanned.get(`scanned ${home}`) !== undefined,
    newRows() {
      const now = version.get() ?? 0;
      if (now === seenVersion) return [];
      seenVersion = now;
      return after.all(seenSegment).map(({ seg, body }) => {
        seenSegment = seg;
        return zstdDecompressSync(body);
      });
    },
    close: () => db.close(),
  };
}
