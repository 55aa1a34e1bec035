import type Database from 'better-sqlite3';

/** A segment without its body, as the outbox is walked. */
export interface SegmentHead {
  readonly seg: number;
  readonly rows: number;
  readonly bytes: number;
}

export interface SegmentBody {
  readonly first_seq: number;
  readonly ids: Buffer;
  readonly body: Buffer;
}

export interface BacklogRow {
  readonly rows: number;
  readonly bytes: number;
  readonly oldest: number | null;
}

/** Every statement of the hot path, prepared once. */
export function prepareStatements(db: Database.Database) {
  return {
    addSegment: db.prepare<[number, number, number, number, number, number, Buffer, Buffer]>(
      'INSERT INTO segments (lane, rows, bytes, stored, first_seq, committed_at, ids, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    heads: db.prepare<[number, number], SegmentHead>(
      'SELECT seg, rows, bytes FROM segments INDEXED BY segments_by_lane WHERE lane = ? AND seg > ? ORDER BY seg',
    ),
    body: db.prepare<[number], SegmentBody>('SELECT first_seq, ids, body FROM segments WHERE seg = ?'),
    position: db.prepare<[string, number], { seg: number }>(
      'SELECT seg FROM positions WHERE sink = ? AND lane = ?',
    ),
    setPosition: db.prepare<[string, number, number]>(
      'INSERT INTO positions (sink, lane, seg) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET seg = max(seg, excluded.seg)',
    ),
    backlog: db.prepare<[number, number], BacklogRow>(
      `SELECT coalesce(sum(rows), 0) rows, coalesce(sum(bytes), 0) bytes, min(committed_at) oldest
       FROM segments INDEXED BY segments_by_lane WHERE lane = ? AND seg > ?`,
    ),
    stored: db.prepare<[number, number], { stored: number }>(
      'SELECT coalesce(sum(stored), 0) stored FROM segments INDEXED BY segments_by_lane WHERE lane = ? AND seg > ?',
    ),
    setCursor: db.prepare<[string, string, string, number]>(
      'INSERT INTO cursors (home, file, cursor, since) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET cursor = excluded.cursor',
    ),
    setWholeCursor: db.prepare<[string, string, string, number]>(
      `INSERT INTO cursors (home, file, cursor, since) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET cursor = excluded.cursor, since = excluded.since`,
    ),
    dropCursor: db.prepare<[string, string]>('DELETE FROM cursors WHERE home = ? AND file = ?'),
    cursors: db.prepare<[string], { file: string; cursor: string }>(
      'SELECT file, cursor FROM cursors WHERE home = ? ORDER BY file',
    ),
    setRecord: db.prepare<[string, string, string, string]>(
      'INSERT INTO records (home, file, name, note) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET note = excluded.note',
    ),
    dropRecord: db.prepare<[string, string, string]>(
      'DELETE FROM records WHERE home = ? AND file = ? AND name = ?',
    ),
    dropRecords: db.prepare<[string, string]>('DELETE FROM records WHERE home = ? AND file = ?'),
    records: db.prepare<[string], { file: string; name: string; note: string }>(
      'SELECT file, name, note FROM records WHERE home = ? ORDER BY file, name',
    ),
    addDead: db.prepare<[string, number, string, string, number, string]>(
      'INSERT INTO dead_rows (sink, seq, row_id, reason, at, row) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    dead: db.prepare<[number], { sink: string; seq: number; row_id: string; reason: string; at: number }>(
      'SELECT sink, seq, row_id, reason, at FROM dead_rows ORDER BY id DESC LIMIT ?',
    ),
    after: db.prepare<[number, number], { seg: number; body: Buffer }>(
      'SELECT seg, body FROM segments WHERE seg > ? ORDER BY seg LIMIT ?',
    ),
    lastSegment: db.prepare<[], { seg: number | null }>('SELECT max(seg) seg FROM segments'),
    setNextSeq: db.prepare<[string]>("UPDATE meta SET value = ? WHERE key = 'next_seq'"),
  };
}

export type Statements = ReturnType<typeof prepareStatements>;
