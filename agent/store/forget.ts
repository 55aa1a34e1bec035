import type Database from 'better-sqlite3';

/** Ids and names whose records were read within this time stay in any case. */
const KEEP_DAYS = 30;

/** Names of the slices in which ids are looked through, by their first byte. */
const SLICES = 256;
const SLICE_MS = 60_000;

/** Sessions that nothing is held of any more, and refused rows: the newest ones stay. */
const KEEP_SESSIONS = 10_000;
const KEEP_DEAD_ROWS = 2_000;

/** Free pages of the database that are given back to the system at once, and how many may stay. */
const SHRINK_PAGES = 1_000;
const FREE_PAGES = 2_000;

export interface Forgetter {
  /** One bounded step; call it about once a minute. */
  step(now: number): void;
}

/**
 * Keeps what else grows within bounds. An id or a claimed name is forgotten only when its record was last read
 * before any file that is still known was read from its start: whatever is on disk now was read since, so reading
 * it again can give no second row.
 */
export function createForgetter(db: Database.Database, day: () => number): Forgetter {
  const oldest = db.prepare<[], { since: number | null }>('SELECT min(since) since FROM cursors');
  const forget = ['seen WHERE id', 'claims WHERE name'].map((column) =>
    db.prepare<[Buffer, Buffer, number]>(
      `DELETE FROM ${column} >= ? AND ${column.split(' ').at(-1)} < ? AND day < ?`,
    ),
  );
  const dropDead = db.prepare<[number]>(
    'DELETE FROM dead_rows WHERE id <= (SELECT max(id) FROM dead_rows) - ?',
  );
  const dropSessions = db.prepare<[number]>(`
    DELETE FROM sessions WHERE (agent, session) IN (
      SELECT agent, session FROM sessions s WHERE NOT EXISTS (
        SELECT 1 FROM session_segments l WHERE l.agent = s.agent AND l.session = s.session)
      ORDER BY last DESC LIMIT -1 OFFSET ?)`);

  /** The first day that must be kept. It only ever rises, so a figure of some hours ago is a safe one. */
  function firstKept(): number {
    const today = day();
    return Math.min((oldest.get()?.since ?? today) - 1, today - KEEP_DAYS);
  }
  let before: number | undefined;

  return {
    step(now) {
      const slice = Math.floor(now / SLICE_MS) % SLICES;
      if (before === undefined || slice === 0) before = firstKept();
      const from = Buffer.from([slice]);
      const to = slice === SLICES - 1 ? Buffer.alloc(17, 0xff) : Buffer.from([slice + 1]);
      for (const statement of before > 0 ? forget : []) statement.run(from, to, before);
      dropDead.run(KEEP_DEAD_ROWS);
      if (slice === 0) dropSessions.run(KEEP_SESSIONS);
      const free = Number(db.pragma('freelist_count', { simple: true }));
      if (free > FREE_PAGES) db.pragma(`incremental_vacuum(${SHRINK_PAGES})`);
    },
  };
}
