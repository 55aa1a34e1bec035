import type Database from 'better-sqlite3';
import { getMeta, setMeta } from './open.ts';

interface Episode {
  readonly since: number;
  readonly last: number;
}

/**
 * When something that happens again and again began, over restarts: what was told less than `goesOnMs` ago is still
 * the same, anything later is another one. Episodes that are over are forgotten.
 */
export function createEpisodes(db: Database.Database) {
  const forget = db.prepare<[number]>(
    `DELETE FROM meta WHERE key >= 'episode ' AND key < 'episode!' AND json_extract(value, '$.last') < ?`,
  );
  return db.transaction((name: string, now: number, goesOnMs: number): number => {
    forget.run(now - goesOnMs);
    const key = `episode ${name}`;
    const known = getMeta(db, key);
    const since = known === undefined ? now : (JSON.parse(known) as Episode).since;
    setMeta(db, key, JSON.stringify({ since, last: now } satisfies Episode));
    return since;
  }).immediate;
}
