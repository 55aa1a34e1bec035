import assert from 'node:assert/strict';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { LANES } from '../../../agent/contract/row.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/temp.ts';
import { A_CURSOR, commitOf, HOME, open, seqsOf, textsOf } from './support.ts';

const LIMITS = { maxRows: 500, maxBytes: 1 << 20 };

describe('agent/store/store', () => {
  it('numbers rows without gaps over commits, lanes and a restart', () => {
    const dir = tempDir();
    const clock = new FakeClock();
    const first = open(clock, dir);

    first.store.commit(HOME, [commitOf(['a', 'b']), commitOf(['c'], { lane: 'alert' })]);
    first.close();
    const second = open(clock, dir);
    second.store.commit(HOME, [commitOf(['d'], { lane: 'backfill' })]);

    const seqs = LANES.flatMap((lane) =>
      seqsOf(second.store.take('s', lane, LIMITS)?.ndjson ?? Buffer.from('')),
    );
    assert.deepEqual(seqs.sort(), [1, 2, 3, 4]);
    assert.equal(second.store.lastSeq(), 4);
    assert.equal(second.store.epoch, first.store.epoch);
  });

  it('drops rows it knows, inside one commit, over commits and after a restart', () => {
    const dir = tempDir();
    const clock = new FakeClock();
    const first = open(clock, dir);

    const outcome = first.store.commit(HOME, [commitOf(['a', 'a', 'b']), commitOf(['b', 'c'])]);
    first.close();
    const again = open(clock, dir).store.commit(HOME, [commitOf(['c', 'a', 'd'])]);

    assert.partialDeepStrictEqual(outcome, { added: 3, duplicates: 2 });
    assert.partialDeepStrictEqual(again, { added: 1, duplicates: 2 });
  });

  it('writes rows and cursor together, and neither when the transaction fails', () => {
    const { store } = open(new FakeClock(), tempDir());
    store.commit(HOME, [commitOf(['a'], { cursor: A_CURSOR })]);
    const broken = {
      ...commitOf(['c']),
      rows: { ...commitOf(['c']).rows, count: 1, lines: Buffer.from('') },
    };

    assert.throws(() =>
      store.commit(HOME, [commitOf(['b'], { cursor: { ...A_CURSOR, offset: 99 } }), broken]),
    );

    assert.deepEqual([...store.cursors(HOME)], [['.gemini/tmp/p/chats/session-x.jsonl', A_CURSOR]]);
    assert.equal(store.lastSeq(), 1);
    assert.partialDeepStrictEqual(store.commit(HOME, [commitOf(['b'])]), { added: 1, duplicates: 0 });
    assert.equal(store.lastSeq(), 2);
  });

  it('forgets a cursor, and keeps homes apart', () => {
    const { store } = open(new FakeClock(), tempDir());
    store.commit(HOME, [commitOf(['a'], { cursor: A_CURSOR })]);
    store.commit('/home/bob', [commitOf(['b'], { cursor: A_CURSOR })]);

    store.commit(HOME, [commitOf([], { cursor: null })]);

    assert.deepEqual([...store.cursors(HOME)], []);
    assert.equal([...store.cursors('/home/bob')].length, 1);
  });

  it('hands out a lane in order, from behind the position of the sink, within the limits', () => {
    const { store } = open(new FakeClock(), tempDir());
    for (const text of ['a', 'b', 'c', 'd', 'e']) store.commit(HOME, [commitOf([text])]);

    const first = store.take('s', 'live', { ...LIMITS, maxRows: 2 });
    assert.ok(first);
    const before = store.take('s', 'live', { ...LIMITS, maxRows: 2 });
    store.settle('s', first, []);
    const rest = store.take('s', 'live', LIMITS);

    assert.deepEqual(textsOf(first.ndjson), ['a', 'b']);
    assert.deepEqual([first.firstSeq, first.lastSeq, first.rows], [1, 2, 2]);
    assert.equal(before?.id, first.id, 'without an ack the same batch comes again');
    assert.deepEqual(textsOf(rest?.ndjson ?? Buffer.from('')), ['c', 'd', 'e']);
    assert.equal(store.take('s', 'alert', LIMITS), undefined);
    assert.deepEqual(textsOf(store.take('other', 'live', LIMITS)?.ndjson ?? Buffer.from('')), [
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
  });

  it('takes one commit whole even when it is over the limits', () => {
    const { store } = open(new FakeClock(), tempDir());
    store.commit(HOME, [commitOf(['a', 'b', 'c'])]);

    const batch = store.take('s', 'live', { maxRows: 1, maxBytes: 1 });

    assert.equal(batch?.rows, 3);
  });

  it('sets rejected rows aside with their reason and moves on', () => {
    const { store } = open(new FakeClock(), tempDir());
    store.commit(HOME, [commitOf(['good', 'poison'])]);
    const batch = store.take('s', 'live', LIMITS);
    assert.ok(batch);

    store.settle('s', batch, [{ index: 1, reason: 'mapping' }]);

    const [dead] = store.deadRows(10);
    assert.equal(dead?.reason, 'mapping');
    assert.equal(dead?.seq, 2);
    assert.equal(dead?.rowId, batch.rowIds[1]);
    assert.equal(store.take('s', 'live', LIMITS), undefined);
  });

  it('counts what waits for a sink, with the age of the oldest', async () => {
    const clock = new FakeClock();
    const { store } = open(clock, tempDir());
    const start = clock.now();
    store.commit(HOME, [commitOf(['a', 'b'])]);
    await clock.advance(5_000);
    store.commit(HOME, [commitOf(['c'], { lane: 'alert' })]);

    const backlog = store.backlog('s');

    assert.equal(backlog.rows, 3);
    assert.equal(backlog.oldest, start);
    assert.ok(backlog.bytes > 0);
  });

  it('is full when the slowest sink is behind by the bound, and not any more when it has caught up', () => {
    const { store } = open(new FakeClock(), tempDir(), { maxOutboxBytes: 200 });
    store.prune(['fast', 'slow'], 0);
    const empty = store.waitingBytes();
    store.commit(HOME, [commitOf(Array.from({ length: 100 }, (_, i) => `row ${i} ${Math.sin(i)}`))]);
    const fast = store.take('fast', 'live', LIMITS);
    const slow = store.take('slow', 'live', LIMITS);
    assert.ok(fast && slow);

    store.settle('fast', fast, []);
    const whileBehind = store.isFull();
    store.settle('slow', slow, []);

    assert.deepEqual([empty, store.waitingBytes()], [0, 0]);
    assert.equal(whileBehind, true);
    assert.equal(store.isFull(), false);
  });

  it('goes by other bounds from the moment it is given them', () => {
    const { store, configure } = open(new FakeClock(), tempDir(), { maxOutboxBytes: 10, keepBytes: 0 });
    store.commit(HOME, [commitOf(['a'])]);
    const before = store.isFull();

    configure({ maxOutboxBytes: 1 << 20, keepMs: 0, keepBytes: 1 << 20, copySettleMs: 0, answerWaitMs: 0 });
    const batch = store.take('s', 'live', LIMITS);
    assert.ok(batch);
    store.settle('s', batch, []);

    assert.deepEqual([before, store.isFull()], [true, false]);
    assert.equal(store.prune(['s'], 0), 0, 'kept within the new bound');
  });

  it('prunes only what every sink has, by age and by size', async () => {
    const clock = new FakeClock();
    const { store } = open(clock, tempDir(), { keepMs: 1_000, keepBytes: 1 << 20 });
    store.commit(HOME, [commitOf(['old'])]);
    const old = store.take('a', 'live', LIMITS);
    assert.ok(old);
    store.settle('a', old, []);
    await clock.advance(2_000);
    store.commit(HOME, [commitOf(['new'])]);

    const whileOneSinkLacksIt = store.prune(['a', 'b'], clock.now());
    const whenAllHaveIt = store.prune(['a'], clock.now());

    assert.equal(whileOneSinkLacksIt, 0);
    assert.equal(whenAllHaveIt, 1);
    assert.deepEqual(
      [...store.rowsOf('gemini-cli', 'c0de0001')].map((row) => JSON.parse(row).text),
      ['new'],
    );
  });

  it('keeps delivered rows of all lanes together within the bound, the newest ones', () => {
    const { store } = open(new FakeClock(), tempDir(), { keepBytes: 2_500 });
    const incompressible = (n: number) => Array.from({ length: 60 }, (_, i) => Math.sin(n * 60 + i)).join();
    for (let n = 0; n < 9; n++) {
      const lane = LANES[n % LANES.length] ?? 'live';
      store.commit(HOME, [commitOf([`${n} ${incompressible(n)}`], { lane })]);
    }
    for (const lane of LANES) {
      const batch = store.take('s', lane, LIMITS);
      assert.ok(batch);
      store.settle('s', batch, []);
    }

    while (store.prune(['s'], 0) > 0);

    const left = [...store.rowsOf('gemini-cli', 'c0de0001')].map((row) =>
      Number(JSON.parse(row).text.split(' ')[0]),
    );
    assert.ok(left.length >= 1 && left.length <= 4, `${left}`);
    assert.deepEqual(left, [5, 6, 7, 8].slice(-left.length));
  });

  it('takes a cursor that cannot be read for none', () => {
    const dir = tempDir();
    const first = open(new FakeClock(), dir);
    first.store.commit(HOME, [commitOf(['a'], { cursor: A_CURSOR })]);
    first.close();
    const db = new Database(join(dir, 'state.db'));
    db.exec("INSERT INTO cursors (home, file, cursor) VALUES ('/home/alice', 'cut', '{\"off')");
    db.close();

    const { store } = open(new FakeClock(), dir);

    assert.deepEqual([...store.cursors(HOME)].length, 1);
  });

  it('lists sessions with their counts and gives their rows back', () => {
    const { store } = open(new FakeClock(), tempDir());
    store.commit(HOME, [
      commitOf(['a', 'b'], { session: 'c0de0001' }),
      commitOf(['x'], { session: 'beef0002' }),
    ]);
    store.commit(HOME, [commitOf(['b', 'c'], { session: 'c0de0001' })]);

    const [found] = store.findSessions('c0de');

    assert.equal(found?.rows, 3);
    assert.equal(found?.prompts, 3);
    assert.equal(store.sessions(10).length, 2);
    assert.deepEqual(
      [...store.rowsOf('gemini-cli', 'c0de0001')].map((row) => JSON.parse(row).text),
      ['a', 'b', 'c'],
    );
  });

  it('lets what was committed be followed', () => {
    const { store } = open(new FakeClock(), tempDir());
    store.commit(HOME, [commitOf(['a'])]);
    const from = store.lastSegment();
    store.commit(HOME, [commitOf(['b']), commitOf(['c'], { lane: 'alert' })]);

    const later = store.committedAfter(from, 10);

    assert.deepEqual(
      later.flatMap(({ ndjson }) => textsOf(ndjson)),
      ['b', 'c'],
    );
  });
});

describe('agent/store/copies', () => {
  it('drops a copy whose record was seen first', async () => {
    const { clock, store } = scanned();
    store.commit(HOME, [commitOf(['the record'], { claims: ['prompt 1'] })]);

    store.commit(HOME, [commitOf(['the copy'], { copyOf: 'prompt 1' })]);
    await clock.advance(10_000);

    assert.equal(store.releaseCopies(), 0);
    assert.equal(store.lastSeq(), 1);
  });

  it('drops a copy whose record is seen while it waits', async () => {
    const { clock, store } = scanned();
    store.commit(HOME, [commitOf(['the copy'], { copyOf: 'prompt 1' })]);
    await clock.advance(1_000);

    store.commit(HOME, [commitOf(['the record'], { claims: ['prompt 1'] })]);
    await clock.advance(10_000);

    assert.equal(store.releaseCopies(), 0);
  });

  it('makes a row of a copy that nobody claims, once, after the settle time', async () => {
    const { clock, store } = scanned();
    store.commit(HOME, [commitOf(['the copy'], { copyOf: 'prompt 1' })]);
    const early = store.releaseCopies();
    await clock.advance(3_000);

    const lanes: unknown[] = [];
    const released = store.releaseCopies((...rows) => lanes.push(rows));
    store.commit(HOME, [commitOf(['the copy'], { copyOf: 'prompt 1' })]);
    await clock.advance(3_000);

    assert.deepEqual([early, released, store.releaseCopies()], [0, 1, 0]);
    assert.deepEqual(lanes, [['live', 1]]);
    assert.deepEqual(textsOf(store.take('s', 'live', LIMITS)?.ndjson ?? Buffer.from('')), ['the copy']);
    assert.equal(store.findSessions('c0de')[0]?.rows, 1);
  });

  it('keeps copies of a home that is scanned for the first time until that scan is over', async () => {
    const clock = new FakeClock();
    const { store } = open(clock, tempDir());
    store.commit(HOME, [commitOf(['claimed later'], { copyOf: 'a' }), commitOf(['left'], { copyOf: 'b' })]);
    await clock.advance(3_600_000);
    const during = store.releaseCopies();

    store.commit(HOME, [commitOf(['the record'], { claims: ['a'] })]);
    store.markScanned(HOME);
    await clock.advance(3_000);

    assert.equal(during, 0);
    assert.equal(store.releaseCopies(), 1);
  });

  it('waits as long as an answer may take for a record that comes only with it', async () => {
    const { clock, store } = scanned();
    const ahead = { ...commitOf(['typed'], { copyOf: 'a' }), isAhead: true };
    store.commit(HOME, [ahead, { ...commitOf(['lost'], { copyOf: 'b' }), isAhead: true }]);
    await clock.advance(599_000);
    const during = store.releaseCopies();
    store.commit(HOME, [commitOf(['the record'], { claims: ['a'] })]);
    await clock.advance(1_000);

    assert.deepEqual([during, store.releaseCopies()], [0, 1]);
  });

  it('makes one row of two copies of one record: the better one, which claims the other', async () => {
    const { clock, store } = scanned();
    store.commit(HOME, [commitOf(['without time'], { copyOf: 'shell ls' })]);
    store.commit(HOME, [commitOf(['with time'], { copyOf: 'prompt 1', copyClaims: 'shell ls' })]);
    await clock.advance(3_000);

    const released = store.releaseCopies() + store.releaseCopies();

    assert.equal(released, 1);
    assert.deepEqual(textsOf(store.take('s', 'live', LIMITS)?.ndjson ?? Buffer.from('')), ['with time']);
  });

  it('counts what is held back, also after a restart', async () => {
    const clock = new FakeClock();
    const dir = tempDir();
    const first = open(clock, dir);
    const counts = [first.store.heldRows()];
    first.store.markScanned(HOME);
    first.store.commit(HOME, [commitOf(['one'], { copyOf: 'a' }), commitOf(['two'], { copyOf: 'b' })]);
    counts.push(first.store.heldRows());
    first.close();
    const { store } = open(clock, dir);
    counts.push(store.heldRows());

    store.commit(HOME, [commitOf(['record'], { claims: ['a'] })]);
    counts.push(store.heldRows());
    await clock.advance(5_000);
    store.releaseCopies();

    assert.deepEqual([...counts, store.heldRows()], [0, 2, 2, 1, 0]);
  });

  it('keeps them over a restart', async () => {
    const clock = new FakeClock();
    const dir = tempDir();
    const first = open(clock, dir);
    first.store.markScanned(HOME);
    first.store.commit(HOME, [commitOf(['the copy'], { copyOf: 'a' })]);
    first.close();
    await clock.advance(5_000);

    assert.equal(open(clock, dir).store.releaseCopies(), 1);
  });
});

function scanned() {
  const clock = new FakeClock();
  const { store } = open(clock, tempDir());
  store.markScanned(HOME);
  return { clock, store };
}
