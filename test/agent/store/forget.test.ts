import assert from 'node:assert/strict';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Cursor } from '../../../agent/contract/commit.ts';
import type { Store } from '../../../agent/contract/store.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/temp.ts';
import { A_CURSOR, commitOf, HOME, open } from './support.ts';

const DAY = 86_400_000;
const WHOLE: Cursor = { ...A_CURSOR, whole: true };

describe('agent/store/forget', () => {
  it('forgets ids once no file is known that was read as early', async () => {
    const { clock, store, pass, known } = setUp();
    commit(store, 'old.log', ['a', 'b'], A_CURSOR);
    await clock.advance(40 * DAY);
    commit(store, 'new.log', ['c'], A_CURSOR);
    pass();
    const whileItStands = known('seen');

    commit(store, 'old.log', [], null);
    pass();

    assert.deepEqual([whileItStands, known('seen')], [3, 1]);
    assert.equal(commit(store, 'new.log', ['c'], A_CURSOR).added, 0, 'what is on disk stays known');
  });

  it('keeps the ids of a copy that was read later, in whatever file', async () => {
    const { clock, store, pass } = setUp();
    commit(store, 'old.log', ['a'], A_CURSOR);
    await clock.advance(40 * DAY);
    commit(store, 'resumed.log', ['a', 'b'], A_CURSOR);
    commit(store, 'old.log', [], null);
    pass();

    assert.equal(commit(store, 'resumed.log', ['a', 'b'], A_CURSOR).added, 0);
  });

  it('goes by the last reading of a file that is read whole', async () => {
    const { clock, store, pass, known } = setUp();
    commit(store, 'logs.json', ['a', 'b'], WHOLE);
    await clock.advance(40 * DAY);
    commit(store, 'logs.json', ['b', 'c'], WHOLE);
    pass();

    assert.equal(known('seen'), 2, 'what the file no longer holds goes');
    assert.equal(commit(store, 'logs.json', ['b', 'c'], WHOLE).added, 0);
  });

  it('keeps a claimed name as long as a copy under it is read', async () => {
    const { clock, store, pass, known } = setUp();
    store.markScanned(HOME);
    store.commit(HOME, [
      commitOf(['record'], { claims: ['kept'] }),
      commitOf(['other'], { claims: ['gone'] }),
    ]);
    await clock.advance(40 * DAY);
    store.commit(HOME, [commitOf(['copy'], { copyOf: 'kept' })]);
    pass();
    const names = known('claims');
    store.commit(HOME, [commitOf(['copy'], { copyOf: 'kept' })]);
    await clock.advance(DAY);

    assert.equal(names, 1);
    assert.equal(store.releaseCopies(), 0);
  });

  it('forgets nothing for a clock that was set back', async () => {
    const { clock, store, pass } = setUp();
    await clock.advance(100 * DAY);
    commit(store, 'a.log', ['a'], A_CURSOR);
    clock.jumpWall(-60 * DAY);
    commit(store, 'a.log', ['b'], A_CURSOR);
    clock.jumpWall(90 * DAY);
    pass();

    assert.equal(commit(store, 'a.log', ['a', 'b'], A_CURSOR).added, 0);
  });

  it('keeps the newest of the rows that were refused, and of the sessions that nothing is held of', () => {
    const { store, pass, known, sql } = setUp();
    const row = "INSERT INTO dead_rows (sink, seq, row_id, reason, at, row) SELECT 's', value, '', '', 0, ''";
    sql(`${row} FROM generate_series(1, 2500)`);
    sql(`INSERT INTO sessions (agent, session, last, rows, prompts)
      SELECT 'gemini-cli', 's' || value, printf('%06d', value), 1, 1 FROM generate_series(1, 10500)`);
    commit(store, 'a.log', ['a'], A_CURSOR);

    pass();

    assert.equal(known('dead_rows'), 2_000);
    assert.equal(store.deadRows(1)[0]?.seq, 2_500);
    assert.equal(known('sessions'), 10_001, 'the one with rows here stays too');
    assert.equal(store.sessions(1)[0]?.session, 's10500');
  });

  it('gives free space back to the system', () => {
    const { store, pass, sql, pages } = setUp();
    sql('CREATE TABLE filler (data BLOB)');
    sql('INSERT INTO filler SELECT randomblob(4000) FROM generate_series(1, 6000)');
    sql('DROP TABLE filler');
    const before = pages();

    pass();

    assert.ok(before > 6_000 && pages() < 2_500, `${before} and ${pages()} pages`);
    assert.equal(store.lastSeq(), 0);
  });
});

function setUp() {
  const clock = new FakeClock();
  const dir = tempDir();
  const { store } = open(clock, dir, { keepMs: 0 });
  const withDb = <T>(work: (db: Database.Database) => T): T => {
    const db = new Database(join(dir, 'state.db'));
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  return {
    clock,
    store,
    /** As many steps as it takes to look at everything. */
    pass: () => {
      for (let minute = 0; minute < 256; minute++) store.prune([], minute * 60_000);
    },
    known: (table: string) =>
      withDb((db) => Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())),
    pages: () => withDb((db) => Number(db.pragma('page_count', { simple: true }))),
    sql: (text: string) => withDb((db) => db.exec(withSeries(text))),
  };
}

/** SQLite as we have it knows no generate_series. */
function withSeries(text: string): string {
  return text.replace(
    /generate_series\((\d+), (\d+)\)/,
    '(WITH RECURSIVE series(value) AS (SELECT $1 UNION ALL SELECT value + 1 FROM series WHERE value < $2) SELECT value FROM series)',
  );
}

function commit(store: Store, file: string, texts: readonly string[], cursor: Cursor | null) {
  return store.commit(HOME, [{ ...commitOf(texts, { cursor }), file }]);
}
