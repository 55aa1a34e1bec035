import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { messageOf, StoreError } from '../agent/contract/errors.ts';

const FILE = 'collector.sqlite3';
const VERSION = 1;

const SCHEMA = `
CREATE TABLE rows (
  id INTEGER PRIMARY KEY,
  row_id BLOB NOT NULL UNIQUE,
  host TEXT NOT NULL,
  epoch TEXT NOT NULL,
  seq INTEGER NOT NULL,
  agent TEXT NOT NULL,
  session TEXT,
  event TEXT,
  received_at INTEGER NOT NULL,
  json TEXT NOT NULL
);
CREATE INDEX rows_by_session ON rows (session) WHERE session IS NOT NULL;
CREATE INDEX rows_by_event ON rows (event) WHERE event IS NOT NULL;
CREATE INDEX rows_by_agent ON rows (agent);
CREATE INDEX rows_by_seq ON rows (host, epoch, seq);
CREATE INDEX rows_by_age ON rows (received_at);

CREATE TABLE ranges (
  host TEXT NOT NULL,
  epoch TEXT NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (host, epoch, first)
) WITHOUT ROWID;

CREATE TABLE hosts (
  host TEXT NOT NULL,
  epoch TEXT NOT NULL,
  host_name TEXT,
  rows INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  heartbeat TEXT,
  PRIMARY KEY (host, epoch)
) WITHOUT ROWID;

CREATE TABLE sessions (
  host TEXT NOT NULL,
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  project TEXT,
  user TEXT,
  first TEXT,
  last TEXT,
  rows INTEGER NOT NULL,
  prompts INTEGER NOT NULL,
  last_received INTEGER NOT NULL,
  PRIMARY KEY (host, agent, session)
) WITHOUT ROWID;
CREATE INDEX sessions_by_time ON sessions (last_received);
`;

/** Opens the database of a collector, and makes it when missing. Nobody else can read it. */
export function openDatabase(dir: string, maxBytes: number): Database.Database {
  const path = join(dir, FILE);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const db = new Database(path);
    chmodSync(path, 0o600);
    // An answer promises that the rows survive a power cut; WAL keeps that only with FULL.
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('busy_timeout = 1000');
    // In the agent it shares a small process; the driver's own default is 16 MB.
    db.pragma('cache_size = -4096');
    db.pragma(`max_page_count = ${pagesIn(db, maxBytes)}`);
    migrate(db);
    return db;
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError('COLLECTOR_DATABASE', `The collector cannot use ${path}: ${messageOf(cause)}.`, {
      hint: 'Check that the directory belongs to this user and that the file is a database of the collector.',
      cause,
    });
  }
}

/** SQLite counts pages in 32 bits. */
function pagesIn(db: Database.Database, bytes: number): number {
  const pageBytes = Number(db.pragma('page_size', { simple: true }));
  return Math.min(0xfffffffe, Math.floor(bytes / pageBytes));
}

function migrate(db: Database.Database): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version === VERSION) return;
  if (version > VERSION) {
    throw new StoreError('COLLECTOR_NEWER', 'The database was made by a newer collector.', {
      hint: 'Install that version again, or give the collector another directory.',
    });
  }
  db.transaction(() => {
    db.exec(SCHEMA);
    db.pragma(`user_version = ${VERSION}`);
  }).immediate();
}
