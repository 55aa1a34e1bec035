import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { errnoOf, messageOf, StoreError } from '../contract/errors.ts';
import { MIGRATIONS } from './migrations.ts';

export const DATABASE_FILE = 'state.db';

/** Its presence asks for a check of the whole database at the next start, however large it is. */
const CHECK_FILE = 'state.check';

/** A database up to this size is checked whole at every start, which takes about a second. */
export const FULL_CHECK_BYTES = 256 * 1024 * 1024;

/** Small tables, without which nothing works, are checked at every start. */
const ALWAYS_CHECKED = ['meta', 'cursors', 'positions', 'copies', 'sessions'];

/** A write-ahead log larger than this is cut again when it was written back. */
const WAL_BYTES = 16 * 1024 * 1024;

/** Pages kept in memory; the driver's default is 16 MB. Little is read at random, and the system caches the file. */
const CACHE_KIB = 4 * 1024;

/** Creates the state directory for its owner alone, and refuses one that others could write. */
export function prepareStateDir(dir: string, uid: number | undefined): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StoreError('STATE_DIR', `cannot create the state directory ${dir}: ${messageOf(error)}`, {
      hint: 'Set state_dir to a directory that this user may write.',
      cause: error,
    });
  }
  if (uid === undefined) return;
  const { uid: owner, mode } = statSync(dir);
  if (owner !== uid) {
    throw new StoreError(
      'STATE_DIR_OWNER',
      `the state directory ${dir} belongs to user ${owner}, not to ${uid}`,
      {
        hint: 'Run as its owner or set state_dir to a directory of your own.',
      },
    );
  }
  if ((mode & 0o022) !== 0) {
    throw new StoreError('STATE_DIR_MODE', `the state directory ${dir} can be written by others`, {
      hint: `chmod 700 ${dir}`,
    });
  }
}

/**
 * Opens the state database and brings it to the newest schema.
 * WAL with synchronous FULL: a commit that returned survives a power cut, which NORMAL does not give.
 * Throws StoreError: STORE_DAMAGED, STORE_NEWER, STORE_OPEN.
 */
export function openDatabase(dir: string, fullCheckBytes = FULL_CHECK_BYTES): Database.Database {
  const file = join(dir, DATABASE_FILE);
  const fresh = !existsSync(file);
  const db = openFile(file);
  try {
    configure(db);
    if (!fresh) check(db, dir, fullCheckBytes);
    migrate(db, file);
  } catch (error) {
    db.close();
    throw asStoreError(error, file);
  }
  chmodSync(file, 0o600);
  return db;
}

/** Damage was met while running: the next start looks at everything. False when that cannot be noted. */
export function askForCheck(dir: string): boolean {
  try {
    writeFileSync(join(dir, CHECK_FILE), '', { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** Moves a damaged database out of the way, side files included; returns where it went. */
export function setAside(dir: string, stamp: string): string {
  const from = join(dir, DATABASE_FILE);
  rmSync(join(dir, CHECK_FILE), { force: true });
  const to = `${from}.damaged-${stamp.replaceAll(/[:.]/g, '-')}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  }
  return to;
}

function openFile(file: string): Database.Database {
  try {
    return new Database(file, { timeout: 5_000 });
  } catch (error) {
    throw statSync(file, { throwIfNoEntry: false })?.isDirectory()
      ? damaged(file, 'it is a directory')
      : asStoreError(error, file);
  }
}

function configure(db: Database.Database): void {
  // Takes effect in a database that has no table yet; must come before the journal mode.
  db.pragma('auto_vacuum = INCREMENTAL');
  db.pragma('journal_mode = WAL');
  db.pragma(`journal_size_limit = ${WAL_BYTES}`);
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = OFF');
  db.pragma('secure_delete = ON');
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('temp_store = MEMORY');
  db.pragma(`cache_size = -${CACHE_KIB}`);
}

/**
 * All of a small database; of a large one, which would hold up the start for minutes, the small tables, unless
 * damage was met while it was used.
 */
function check(db: Database.Database, dir: string, fullCheckBytes: number): void {
  const file = join(dir, DATABASE_FILE);
  const asked = join(dir, CHECK_FILE);
  const isFull = statSync(file).size <= fullCheckBytes || existsSync(asked);
  for (const what of isFull ? ['1'] : ALWAYS_CHECKED) {
    const answer = db.pragma(`quick_check(${what})`, { simple: true });
    if (answer !== 'ok') throw damaged(file, String(answer));
  }
  rmSync(asked, { force: true });
}

function migrate(db: Database.Database, file: string): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > MIGRATIONS.length) {
    throw new StoreError(
      'STORE_NEWER',
      `${file} was written by a newer Holdfast (schema ${version}, known ${MIGRATIONS.length})`,
      {
        hint: 'Install that version again, or move the state directory away to start afresh.',
      },
    );
  }
  for (let step = version; step < MIGRATIONS.length; step++) {
    db.transaction(() => {
      db.exec(MIGRATIONS[step] ?? '');
      if (step === 0) setMeta(db, 'epoch', randomUUID());
      db.pragma(`user_version = ${step + 1}`);
    }).immediate();
  }
  if (getMeta(db, 'epoch') === undefined) throw damaged(file, 'the epoch marker is missing');
}

export function getMeta(db: Database.Database, key: string): string | undefined {
  return db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?').get(key)?.value;
}

export function setMeta(db: Database.Database, key: string, value: string): void {
  db.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  ).run(key, value);
}

function damaged(file: string, detail: string): StoreError {
  return new StoreError('STORE_DAMAGED', `${file} is damaged: ${detail}`, {
    hint: 'Holdfast sets a damaged database aside and reads the sources again.',
  });
}

function asStoreError(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = errnoOf(error) ?? '';
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return damaged(file, messageOf(error));
  return new StoreError('STORE_OPEN', `cannot open ${file}: ${messageOf(error)}`, {
    hint: 'Check that the state directory can be written and has space left.',
    cause: error,
  });
}
