/**
 * A program that keeps conversations as Amazon Q does: rollback journal, ten connections, 5 s busy timeout, one
 * `INSERT OR REPLACE` of the whole value. `node slot-writer.ts <database> <megabytes> <writes> <every ms>`; prints
 * the time of each write and what failed, as JSON.
 */
import Database from 'better-sqlite3';

const [path = '', megabytes = '20', writes = '20', everyMs = '200'] = process.argv.slice(2);
const CONNECTIONS = 10;

const pool = Array.from({ length: CONNECTIONS }, () => new Database(path, { timeout: 5_000 }));
pool[0]?.exec('CREATE TABLE IF NOT EXISTS conversations (key TEXT PRIMARY KEY, value TEXT)');
const statements = pool.map((db) => db.prepare('INSERT OR REPLACE INTO conversations VALUES (?, ?)'));
const filling = 'all the words of a long conversation '.repeat((Number(megabytes) * 1_000_000) / 37);

const latencies: number[] = [];
const failures: string[] = [];
for (let version = 1; version <= Number(writes); version++) {
  const value = JSON.stringify([filling, `version ${version}`]);
  const start = performance.now();
  try {
    statements[version % CONNECTIONS]?.run('/home/alice/app', value);
  } catch (error) {
    failures.push(String(error));
  }
  latencies.push(performance.now() - start);
  await new Promise((resolve) =>
    setTimeout(resolve, Math.max(0, Number(everyMs) - (performance.now() - start))),
  );
}
for (const db of pool) db.close();
process.stdout.write(JSON.stringify({ latencies, failures }));
