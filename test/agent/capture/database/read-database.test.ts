import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { MemoryPort } from '../../../support/memory-port.ts';
import { onCleanUp, tempDir } from '../../../support/temp.ts';
import { TALKS, TALKS_V2, toyDatabase } from '../../../support/toy-database.ts';
import { until } from '../../../support/until.ts';
import { startCapture, storeOf } from '../support.ts';

const LARGE = 'many words '.repeat(2_000);

describe('capture/database/read-database', () => {
  it('reads every record of the tables it is for, and no other table', async () => {
    const { path, home } = makeDatabase();
    run(path, "CREATE TABLE auth_kv (key TEXT, value TEXT); INSERT INTO auth_kv VALUES ('t', 'the-token')");
    put(path, 'a', ['one', LARGE]);
    putV2(path, { key: 'a', id: '1' }, ['two']);

    const { port } = await capture(home);

    assert.deepEqual(port.texts(), ['one', LARGE, 'two']);
    assert.ok(!JSON.stringify([port.rows, [...port.records]]).includes('the-token'));
  });

  it('tells a turn when it is written, and reads no other record again', async () => {
    const { path, home } = makeDatabase();
    put(path, 'a', ['one', LARGE]);
    put(path, 'b', ['other']);
    const { port, toy } = await capture(home);
    toy.parsed.length = 0;

    put(path, 'a', ['one', LARGE, 'two']);

    await until('the new turn', () => port.texts().includes('two'));
    assert.deepEqual(toy.parsed, ['a']);
    assert.equal(port.duplicates, 0);
  });

  it('sees a change of the same length behind a long value', async () => {
    const { path, home } = makeDatabase();
    putV2(path, { key: 'a', id: '1' }, [LARGE, 'one']);
    const { toy } = await capture(home);

    run(path, `UPDATE talks_v2 SET value = replace(value, '"one"', '"two"'), updated_at = 0`);

    await until('the record to be read again', () => toy.parsed.length === 2);
  });

  it('remembers across a restart what was told', async () => {
    const { path, home } = makeDatabase();
    put(path, 'a', ['one', 'two']);
    const { capture: first, port } = await capture(home);
    await first.stop();
    put(path, 'a', ['one', 'two', 'three']);

    const { toy } = await capture(home, { port });

    assert.deepEqual(port.texts(), ['one', 'two', 'three']);
    assert.deepEqual(toy.parsed, ['a']);
    assert.equal(port.duplicates, 0);
  });

  it('shows a parser what is kept of the other records of its table, also across a restart', async () => {
    const { path, home } = makeDatabase();
    put(path, 'slot', ['x']);
    putV2(path, { key: 'a', id: '1' }, ['one', 'two']);
    const { capture: first, port } = await capture(home);
    await first.stop();
    putV2(path, { key: 'b', id: '2' }, ['three']);

    const { toy } = await capture(home, { port });

    assert.deepEqual([...toy.beside], [['b/2', ['a/1 2']]]);
  });

  it('does not open an unchanged database again after a restart', async () => {
    const { path, home } = makeDatabase();
    put(path, 'a', ['one']);
    const { capture: first, port } = await capture(home);
    await first.stop();

    const { toy } = await capture(home, { port });

    assert.deepEqual(toy.parsed, []);
  });

  it('reads every record again for another version of the source', async () => {
    const { path, home } = makeDatabase();
    put(path, 'a', ['one']);
    const { capture: first, port } = await capture(home);
    await first.stop();

    const { toy } = await capture(home, { port, version: 2 });

    assert.deepEqual(toy.parsed, ['a']);
    assert.equal(port.duplicates, 1);
  });

  it('tells a record that is deleted, and a slot that holds something else', async () => {
    const { path, home } = makeDatabase();
    put(path, 'a', ['one', 'two']);
    put(path, 'b', ['x', 'y']);
    const { port } = await capture(home);

    run(path, "DELETE FROM talks WHERE key = 'a'");
    put(path, 'b', ['z']);

    await until('both', () => port.events().length === 2);
    assert.deepEqual(system(port).sort(), ['gone (record) after 2', 'shrunk from 2 to 1']);
    assert.equal(port.records.get('.toy/a.db')?.size, 1);
  });

  it('tells every record when the database is deleted', async () => {
    const { path, home } = makeDatabase();
    put(path, 'a', ['one']);
    const { port } = await capture(home);

    rmSync(path);

    await until('the end', () => port.events().length === 2);
    assert.deepEqual(system(port), ['gone (file) after 1', 'database deleted: 1 records had been read']);
    assert.equal(port.records.size, 0);
  });

  it('reads what a write-ahead log holds, and leaves nothing beside the database', async () => {
    const { path, home } = makeDatabase();
    run(path, 'PRAGMA journal_mode = wal');
    using db = open(path);
    db.exec('PRAGMA wal_autocheckpoint = 0');
    put(db, 'a', ['one', LARGE]);
    const { port } = await capture(home);

    put(db, 'a', ['one', LARGE, 'two']);

    await until('the new turn', () => port.texts().includes('two'));
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    put(db, 'a', ['one', LARGE, 'two', 'three']);
    await until('the next turn', () => port.texts().includes('three'));
    assert.equal(port.duplicates, 0);
  });

  it('reads a database with a log at rest in a directory that nobody may write', async () => {
    const { path, home } = makeDatabase();
    run(path, 'PRAGMA journal_mode = wal');
    put(path, 'a', ['one']);
    onCleanUp(() => chmodSync(storeOf(home), 0o755));
    chmodSync(storeOf(home), 0o555);

    const { port } = await capture(home);

    assert.deepEqual(port.texts(), ['one']);
    assert.deepEqual(readdirSync(storeOf(home)), ['a.db']);
  });

  it('reads a log that a killed program left without its index', async () => {
    const { path, home } = makeDatabase();
    run(path, 'PRAGMA journal_mode = wal');
    const elsewhere = join(tempDir(), 'a.db');
    {
      using db = open(path);
      put(db, 'a', ['one']);
      for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${elsewhere}${end}`);
    }
    for (const end of ['', '-wal']) copyFileSync(`${elsewhere}${end}`, `${path}${end}`);

    const { port } = await capture(home);

    assert.deepEqual(port.texts(), ['one']);
    assert.deepEqual(readdirSync(storeOf(home)), ['a.db', 'a.db-wal']);
  });

  it('reads what was committed when a killed program left a half-written transaction', async () => {
    const { path, home } = makeDatabase();
    put(path, 'a', ['one', LARGE]);
    put(path, 'b', ['other']);
    leaveHotJournal(path);
    const before = snapshotOf(storeOf(home));

    const { port } = await capture(home);

    await until('the rows', () => port.texts().length === 3);
    assert.deepEqual(port.texts(), ['one', LARGE, 'other']);
    assert.deepEqual(snapshotOf(storeOf(home)), before);
  });

  it('takes an empty file for an empty database', async () => {
    const home = tempDir();
    writeFileSync(join(storeOf(home), 'a.db'), '');

    const { port } = await capture(home);

    assert.deepEqual(port.rows, []);
  });

  it('tells records that are gone when the database is emptied', async () => {
    const { path, home } = makeDatabase();
    put(path, 'a', ['one']);
    const { port } = await capture(home);

    truncateSync(path);

    await until('the end', () => system(port).includes('gone (record) after 1'));
  });

  it('says that another database stands in its place, and what it lacks', async () => {
    const { path, home } = makeDatabase();
    put(path, 'a', ['one']);
    put(path, 'b', ['two']);
    const { port } = await capture(home);
    const other = join(tempDir(), 'other.db');
    run(other, TALKS);
    put(other, 'a', ['one']);

    renameSync(other, path);

    await until('both', () => port.events().length === 2);
    assert.deepEqual(system(port), [
      'database replaced by another: 2 records had been read',
      'gone (record) after 1',
    ]);
  });

  it('reads nothing new after a vacuum', async () => {
    const { path, home } = makeDatabase();
    put(path, 'a', ['one', LARGE]);
    put(path, 'b', ['two']);
    run(path, "DELETE FROM talks WHERE key = 'a'");
    const { port } = await capture(home);
    const commits = port.commits.length;

    run(path, 'VACUUM');

    await until('another look', () => port.commits.length > commits);
    assert.deepEqual(port.texts(), ['two']);
    assert.equal(port.duplicates, 0);
  });

  it('says what is malformed once, and reads the rest', async () => {
    const { path, home } = makeDatabase('PRAGMA page_size = 1024;');
    for (const key of ['a', 'b', 'c', 'd']) put(path, key, [key.repeat(900)]);
    const bytes = readFileSync(path);
    bytes.fill(0xff, bytes.indexOf('bbbbbbbb') & ~1023, (bytes.indexOf('bbbbbbbb') & ~1023) + 1024);
    writeFileSync(path, bytes);

    const { port } = await capture(home);

    await until('the complaint', () => port.events().includes('parser.error'));
    assert.ok(port.texts().length >= 2, `${port.texts().length} texts`);
    put(path, 'e', ['new']);
    await until('the new turn', () => port.texts().includes('new'));
    assert.equal(port.events().length, 1);
  });

  it('refuses views and virtual tables, and says which table is missing', async () => {
    const home = tempDir();
    const endless =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i AS key, i AS value FROM n';
    run(join(storeOf(home), 'view.db'), `CREATE VIEW talks AS ${endless}`);
    run(join(storeOf(home), 'virtual.db'), 'CREATE VIRTUAL TABLE talks USING fts5(key, value)');
    run(join(storeOf(home), 'missing.db'), 'CREATE TABLE other (key)');
    run(join(storeOf(home), 'generated.db'), 'CREATE TABLE talks (key, value AS (hex(zeroblob(200000000))))');
    writeFileSync(join(storeOf(home), 'text.db'), 'no database at all');

    const { port } = await capture(home);

    await until('every complaint', () => port.events().length >= 3);
    const texts = new Set(system(port));
    assert.deepEqual(
      [...texts].sort(),
      ['no database', 'no table talks', 'talks is no plain table'].map(
        (reason) => `parser: database not read: ${reason} (page 0)`,
      ),
    );
  });

  it('does not follow links, and does not wait for pipes', async () => {
    const home = tempDir();
    const store = storeOf(home);
    const target = join(tempDir(), 'target.db');
    run(target, TALKS);
    put(target, 'a', ['secret']);
    symlinkSync(target, join(store, 'link.db'));
    execFileSync('mkfifo', [join(store, 'pipe.db')]);
    const { path } = makeDatabase('', home);
    put(path, 'a', ['one']);
    execFileSync('mkfifo', [`${path}-wal`]);
    symlinkSync(target, `${path}-journal`);

    const { port } = await capture(home);

    assert.deepEqual(port.texts(), ['one']);
  });

  it('tells a record on which its parser throws, and the others', async () => {
    const { path, home } = makeDatabase();
    run(path, "INSERT INTO talks VALUES ('a', 'boom')");
    put(path, 'b', ['one']);

    const { port } = await capture(home);

    assert.deepEqual(port.texts(), ['one']);
    assert.deepEqual(port.events(), ['parser.error']);
  });

  it('says that a value is over the limit, and reads the others', async () => {
    const { path, home } = makeDatabase();
    put(path, 'a', ['x'.repeat(100_000)]);
    put(path, 'b', ['one']);

    const { port } = await capture(home, { maxDocumentBytes: 65_536 });

    assert.deepEqual(port.texts(), ['one']);
    assert.equal(system(port)[0]?.includes('a value over the limit'), true);
  });

  it('reads thousands of records, a part at a time', async () => {
    const { path, home } = makeDatabase();
    using db = open(path);
    const insert = db.prepare('INSERT INTO talks VALUES (?, ?)');
    db.transaction(() => {
      for (let at = 0; at < 3_000; at++) insert.run(`k${at}`, JSON.stringify([`text ${at}`]));
    })();

    const { port, toy } = await capture(home);

    assert.equal(port.texts().length, 3_000);
    assert.equal(toy.parsed.length, 3_000);
  });

  it('reads a database whose program was killed once, in a single scan', async () => {
    const { path, home } = makeDatabase();
    put(path, 'a', ['one', LARGE]);
    leaveHotJournal(path);

    const { port, isDone } = await capture(home, { mode: 'once' });

    await until('the end', isDone);
    assert.deepEqual(port.texts(), ['one', LARGE]);
  });
});

async function capture(
  home: string,
  options: { port?: MemoryPort; version?: number; maxDocumentBytes?: number; mode?: 'once' } = {},
) {
  const toy = toyDatabase(options.version);
  const port = options.port ?? new MemoryPort();
  const { maxDocumentBytes = 1 << 20, mode = 'watch' } = options;
  const started = await startCapture(home, { port, source: toy.source, mode, limits: { maxDocumentBytes } });
  return { ...started, toy };
}

function makeDatabase(before = '', home = tempDir()): { home: string; path: string } {
  const path = join(storeOf(home), 'a.db');
  run(path, `${before} ${TALKS} ${TALKS_V2}`);
  return { home, path };
}

function open(path: string) {
  const db = new Database(path, { timeout: 5_000 });
  return Object.assign(db, { [Symbol.dispose]: () => db.close() });
}

function run(path: string, sql: string): void {
  using db = open(path);
  db.exec(sql);
}

function put(target: string | Database.Database, key: string, texts: readonly string[]): void {
  if (typeof target !== 'string') {
    target.prepare('INSERT OR REPLACE INTO talks VALUES (?, ?)').run(key, JSON.stringify(texts));
    return;
  }
  using db = open(target);
  put(db, key, texts);
}

function putV2(path: string, { key, id }: { key: string; id: string }, texts: readonly string[]): void {
  using db = open(path);
  db.prepare('INSERT OR REPLACE INTO talks_v2 VALUES (?, ?, ?, 1)').run(key, id, JSON.stringify(texts));
}

function system(port: MemoryPort): string[] {
  return port.rows.filter((row) => row.turn_type === 'system').map((row) => row.text);
}

/** A transaction that had already changed pages of the file when its program was killed. */
function leaveHotJournal(path: string): void {
  const kept = join(tempDir(), 'kept');
  mkdirSync(kept);
  {
    using db = open(path);
    db.exec('PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE');
    db.prepare('UPDATE talks SET value = ?').run(JSON.stringify(['dirty', 'dirty '.repeat(200_000)]));
    for (const end of ['', '-journal']) copyFileSync(`${path}${end}`, join(kept, `db${end}`));
    assert.ok(readFileSync(path).includes('dirty dirty'));
    db.exec('ROLLBACK');
  }
  for (const end of ['', '-journal']) copyFileSync(join(kept, `db${end}`), `${path}${end}`);
}

function snapshotOf(dir: string): Record<string, string> {
  return Object.fromEntries(readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'base64')]));
}
