import assert from 'node:assert/strict';
import { type CommitTarget, createCommitter } from '../../../agent/capture/committer.ts';
import { type Commit, EMPTY_ROWS } from '../../../agent/contract/commit.ts';
import { silentLogger } from '../../../agent/contract/logger.ts';
import type { Lane } from '../../../agent/contract/row.ts';
import { noRows } from '../../../agent/contract/store.ts';
import { createMetrics } from '../../../agent/telemetry/metrics.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';

describe('agent/capture/committer', () => {
  it('writes what came together at once, and only then acknowledges it', async () => {
    const { store, submit, done } = setUp();

    submit('alice', 'a', 'b', 'c');
    const early = [...done];
    await settle();

    assert.deepEqual(early, []);
    assert.deepEqual(store.transactions, [['alice', 'a', 'b', 'c']]);
    assert.deepEqual(done, ['a', 'b', 'c']);
  });

  it('keeps the order of a home over failures, and acknowledges nothing that is not durable', async () => {
    const { clock, store, submit, done, committer } = setUp();
    store.failing.add('alice');
    submit('alice', 'a');
    await settle();
    submit('alice', 'b');
    await clock.advance(400);
    const whileFailing = { done: [...done], state: committer.state() };

    store.failing.clear();
    await clock.advance(60_000);

    assert.deepEqual(whileFailing, {
      done: [],
      state: { waiting: 2, full: false, error: 'disk full' },
    });
    assert.deepEqual(done, ['a', 'b']);
    assert.deepEqual(store.durable, ['a', 'b']);
    assert.deepEqual(committer.state(), { waiting: 0, full: false, error: undefined });
  });

  it('tries again ever more slowly, but at least every ten seconds', async () => {
    const { clock, store, submit } = setUp();
    store.failing.add('alice');
    submit('alice', 'a');
    await settle();

    await clock.advance(10_000);
    const early = store.tries;
    await clock.advance(100_000);

    assert.equal(early, 5);
    assert.equal(store.tries - early, 10);
  });

  it('counts each row to its own lane, also when lanes are written together', async () => {
    const { submit, submitOld, metrics } = setUp();

    submitOld('old');
    submit('alice', 'a', 'b');
    await settle();

    assert.deepEqual(metrics.snapshot().holdfast_rows_total, [
      { labels: { lane: 'live' }, value: 2 },
      { labels: { lane: 'backfill' }, value: 1 },
    ]);
  });

  it('writes the other homes when one cannot be written, each commit once', async () => {
    const { clock, store, submit, done } = setUp();
    store.failing.add('bob');

    submit('alice', 'a1');
    submit('bob', 'b1');
    submit('carol', 'c1');
    await settle();
    const whileFailing = [...done];
    submit('alice', 'a2');
    submit('bob', 'b2');
    await clock.advance(20_000);
    store.failing.clear();
    await clock.advance(20_000);

    assert.deepEqual(whileFailing, ['a1', 'c1']);
    assert.deepEqual(store.durable, ['a1', 'c1', 'a2', 'b1', 'b2']);
    assert.deepEqual(done, ['a1', 'c1', 'a2', 'b1', 'b2']);
  });

  it('waits while the outbox is full, and goes on when it is told of room', async () => {
    const { clock, store, submit, done, committer } = setUp();
    store.full = true;
    submit('alice', 'a');
    await settle();
    const waiting = committer.state();

    store.full = false;
    committer.poke();
    await settle();

    assert.equal(waiting.full, true);
    assert.equal(store.tries, 1);
    assert.deepEqual(done, ['a']);
    await clock.advance(60_000);
    assert.deepEqual(store.durable, ['a']);
  });

  it('goes on by itself when nobody tells of room', async () => {
    const { clock, store, submit, done } = setUp();
    store.full = true;
    submit('alice', 'a');
    await clock.advance(5_000);

    store.full = false;
    await clock.advance(1_000);

    assert.deepEqual(done, ['a']);
  });

  it('takes a store that cannot even say whether it is full for one that fails', async () => {
    const { clock, store, submit, done, committer } = setUp();
    store.broken = true;
    submit('alice', 'a');
    await settle();
    const { error } = committer.state();

    store.broken = false;
    await clock.advance(1_000);

    assert.equal(error, 'input/output error');
    assert.deepEqual(done, ['a']);
  });

  it('gathers what a first scan finds for a moment, and lets what is live take it along', async () => {
    const { clock, store, submit, submitOld, done } = setUp();
    submitOld('a');
    submitOld('b');
    await settle();
    const early = [...done];
    await clock.advance(100);
    const gathered = [...store.transactions];

    submitOld('c');
    submit('alice', 'd');
    await settle();

    assert.deepEqual(early, []);
    assert.deepEqual(gathered, [['alice', 'a', 'b']]);
    assert.deepEqual(done, ['a', 'b', 'c', 'd']);
  });

  it('goes on gathering after a time in which the store could not be written', async () => {
    const { clock, store, submitOld, done } = setUp();
    store.failing.add('alice');
    submitOld('a');
    await clock.advance(100);
    submitOld('b');
    await clock.advance(200);
    store.failing.clear();
    await clock.advance(10_000);

    submitOld('c');
    await clock.advance(1_000);

    assert.deepEqual(done, ['a', 'b', 'c']);
  });

  it('writes at once when flushed', () => {
    const { submit, done, committer } = setUp();
    submit('alice', 'a');

    committer.flush();

    assert.deepEqual(done, ['a']);
  });

  it('touches the store no more once it was stopped, whoever pokes', async () => {
    const { clock, store, submit, done, committer } = setUp();
    store.full = true;
    submit('alice', 'a');
    await settle();
    store.full = false;

    committer.poke();
    committer.stop();
    committer.poke();
    submit('alice', 'b');
    committer.flush();
    await clock.advance(60_000);

    assert.equal(store.tries, 0);
    assert.deepEqual(done, []);
  });

  it('tells those who follow once for what was written, and counts it once', async () => {
    const { clock, store, submit, told, metrics } = setUp();
    store.failing.add('alice');
    submit('alice', 'a', 'b');
    await settle();
    const early = told();

    store.failing.clear();
    await clock.advance(1_000);

    assert.equal(early, 0);
    assert.equal(told(), 1);
    assert.equal(metrics.snapshot().holdfast_commits_total?.[0]?.value, 1);
  });
});

class FakeStore implements CommitTarget {
  readonly failing = new Set<string>();
  readonly durable: (string | null)[] = [];
  readonly transactions: (string | null)[][] = [];
  full = false;
  broken = false;
  tries = 0;

  isFull(): boolean {
    if (this.broken) throw new Error('input/output error');
    return this.full;
  }

  commit(home: string, commits: readonly Commit[]) {
    this.tries++;
    if (this.failing.has(home)) throw new Error('disk full');
    const files = commits.map(({ file }) => file);
    this.durable.push(...files);
    this.transactions.push([home, ...files]);
    const byLane = noRows();
    for (const { lane } of commits) byLane[lane]++;
    return { added: commits.length, duplicates: 0, byLane };
  }
}

function setUp() {
  const clock = new FakeClock();
  const store = new FakeStore();
  const metrics = createMetrics();
  const done: string[] = [];
  let told = 0;
  const committer = createCommitter({
    target: store,
    clock,
    logger: silentLogger,
    metrics,
    onCommitted: () => told++,
  });
  const submitTo = (home: string, lane: Lane, name: string) =>
    committer.submit(home, { lane, file: name, cursor: undefined, rows: EMPTY_ROWS }, () => done.push(name));
  return {
    clock,
    store,
    metrics,
    committer,
    done,
    told: () => told,
    submit: (home: string, ...names: string[]) => {
      for (const name of names) submitTo(home, 'live', name);
    },
    submitOld: (name: string) => submitTo('alice', 'backfill', name),
  };
}
