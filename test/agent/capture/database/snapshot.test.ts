import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { tempDir } from '../../../support/temp.ts';
import { readThings } from './support.ts';

/**
 * Rewrites every record with the number of the transaction, in transactions so large that pages reach the file
 * before the commit; every third one is rolled back, with numbers that must never be seen.
 */
const WRITER = `
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(process.argv[1], { timeout: 0 });
  db.exec('PRAGMA cache_size = 4; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 40');
  const update = db.prepare('UPDATE things SET a = ?, b = ?');
  for (let number = 1; number <= 400; number++) {
    db.exec('BEGIN IMMEDIATE');
    const isKept = number % 3 !== 0;
    update.run(isKept ? number : -number, String(number % 10).repeat(2000 + (number % 7) * 3000));
    db.exec(isKept ? 'COMMIT' : 'ROLLBACK');
    if (number % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 15));
  }
`;

describe('capture/database/snapshot', () => {
  for (const mode of ['delete', 'persist', 'truncate', 'wal']) {
    it(`never sees half of a transaction, with journal_mode ${mode}`, async () => {
      const path = join(tempDir(), 'a.db');
      makeThings(path, mode);
      const writer = spawn(process.execPath, ['--input-type=module', '-e', WRITER, path], {
        stdio: 'inherit',
      });
      const ended = new Promise<number | null>((resolve) => writer.once('close', resolve));
      let exit: number | null | undefined;
      void ended.then((code) => {
        exit = code;
      });

      const memory = { wal: undefined, journal: undefined };
      let states = 0;
      while (exit === undefined) {
        const rows = readThings(path, memory, 60_000);
        if (rows) {
          assertOneState(rows);
          states++;
        }
        await new Promise((resolve) => setImmediate(resolve));
      }

      assert.equal(exit, 0);
      assert.ok(states > 5, `${states} states seen`);
      assertOneState(readThings(path, memory, 60_000) ?? [], 400);
    }).timeout(60_000);
  }
});

function makeThings(path: string, mode: string): void {
  const db = new Database(path);
  db.pragma(`journal_mode = ${mode}`);
  db.exec('CREATE TABLE things (k TEXT PRIMARY KEY, a, b)');
  for (let at = 0; at < 12; at++) db.prepare("INSERT INTO things VALUES (?, 0, '0')").run(`k${at}`);
  db.close();
}

function assertOneState(rows: readonly (readonly unknown[])[], expected?: number): void {
  assert.equal(rows.length, 12);
  const numbers = new Set(rows.map(([, number]) => number));
  assert.equal(numbers.size, 1, `several transactions at once: ${[...numbers].join(', ')}`);
  const [number = -1] = numbers as Set<number>;
  assert.ok(number >= 0, 'a transaction that was rolled back');
  if (expected !== undefined) assert.equal(number, expected);
  for (const row of rows) assert.match(String(row[2]), new RegExp(`^${number % 10}+$`));
}
