import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import type { Cell } from '../../../../agent/contract/source.ts';
import { tempDir } from '../../../support/temp.ts';
import { readThings, type Values } from './support.ts';

const value = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
  fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
  fc.nat(12_000).map((length) => Buffer.alloc(length, 'long text ')),
);

describe('capture/database', () => {
  it('reads what SQLite wrote, whatever the page size, the encoding and the journal mode', () => {
    const dir = tempDir();
    let number = 0;
    fc.assert(
      fc.property(
        fc.record({
          pageBytes: fc.constantFrom(512, 1024, 4096, 65_536),
          encoding: fc.constantFrom('UTF-8', 'UTF-16le', 'UTF-16be'),
          mode: fc.constantFrom('delete', 'wal'),
          rows: fc.array(fc.tuple(value, value), { maxLength: 60 }),
          removed: fc.array(fc.nat(60), { maxLength: 10 }),
        }),
        ({ pageBytes, encoding, mode, rows, removed }) => {
          const path = join(dir, `${++number}.db`);
          using db = open(path);
          db.handle.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA encoding = '${encoding}'`);
          db.handle.pragma(`journal_mode = ${mode}`);
          db.handle.exec('CREATE TABLE things (k TEXT PRIMARY KEY, a, b)');
          const insert = db.handle.prepare('INSERT INTO things VALUES (?, ?, ?)');
          for (const [at, [a, b]] of rows.entries()) insert.run(`k${at}`, textOrValue(a), b);
          for (const at of removed) db.handle.prepare('DELETE FROM things WHERE k = ?').run(`k${at}`);
          db.handle.exec('ALTER TABLE things ADD COLUMN late');

          assert.deepEqual(readThings(path), expected(db.handle));
        },
      ),
      { numRuns: 60 },
    );
  }).timeout(60_000);

  it('gives no exception for any damaged byte', () => {
    const dir = tempDir();
    const path = join(dir, 'damaged.db');
    const image = imageOf(dir);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(image.length - 1), fc.nat(255)), { maxLength: 30 }), (damage) => {
        const broken = Buffer.from(image);
        for (const [at, byte] of damage) broken[at] = byte;
        writeFileSync(path, broken);

        readThings(path);
      }),
      { numRuns: 300 },
    );
  }).timeout(60_000);
});

function open(path: string) {
  const handle = new Database(path);
  handle.defaultSafeIntegers(true);
  return { handle, [Symbol.dispose]: () => handle.close() };
}

/** Text goes in as text half of the time: even lengths. */
function textOrValue(cell: Cell): unknown {
  return Buffer.isBuffer(cell) && cell.length % 2 === 0 ? cell.toString('utf8') : cell;
}

function expected(db: Database.Database): Values[] {
  const text = (name: string) =>
    `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS TEXT) ELSE ${name} END`;
  const rows = db
    .prepare(`SELECT k, ${text('a')}, b, late FROM things ORDER BY rowid`)
    .raw()
    .all() as unknown[][];
  return rows.map((row) => row.map(asCell));
}

function asCell(found: unknown): Cell {
  if (typeof found === 'string') return Buffer.from(found);
  if (typeof found !== 'bigint') return found as Cell;
  return Number.isSafeInteger(Number(found)) ? Number(found) : found;
}

function imageOf(dir: string): Buffer {
  const path = join(dir, 'image.db');
  using db = open(path);
  db.handle.exec('PRAGMA page_size = 512; CREATE TABLE things (k TEXT PRIMARY KEY, a, b, late)');
  for (let at = 0; at < 40; at++)
    db.handle.prepare('INSERT INTO things VALUES (?, ?, ?, 1)').run(`k${at}`, 'x'.repeat(at * 37), at);
  return db.handle.serialize();
}
