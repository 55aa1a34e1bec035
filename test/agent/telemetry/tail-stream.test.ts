import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { streamTail } from '../../../agent/telemetry/tail-stream.ts';
import { until } from '../../support/until.ts';
import { fakeStore } from './fake-store.ts';

function reader() {
  const chunks: Buffer[] = [];
  let release: (() => void) | undefined;
  let slow = false;
  const stream = new Writable({
    highWaterMark: 100,
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      if (slow) release = done;
      else done();
    },
  });
  return {
    stream,
    stall: () => {
      slow = true;
    },
    resume: () => {
      slow = false;
      release?.();
    },
    seen: () =>
      Buffer.concat(chunks)
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).seq ?? JSON.parse(line)),
  };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('agent/telemetry/tail-stream', () => {
  it('begins with what is committed from now on', async () => {
    const store = fakeStore();
    const { stream, seen } = reader();
    store.commit(3);

    const done = streamTail(store.source, stream);
    store.commit(2);
    store.commit(1);
    await until('three rows', () => seen().length === 3);
    stream.destroy();
    await done;

    assert.deepEqual(seen(), [4, 5, 6]);
    assert.equal(store.listeners.size, 0);
  });

  for (const since of [0, 1, 4, 5, 11, 29, 30]) {
    it(`begins after row ${since}, wherever its commit lies`, async () => {
      const store = fakeStore(7);
      for (let i = 0; i < 10; i++) store.commit(3);
      const { stream, seen } = reader();

      const done = streamTail(store.source, stream, since);
      store.commit(1);
      await until('the newest row', () => seen().at(-1) === 31);
      stream.destroy();
      await done;

      assert.deepEqual(seen(), numbers(since + 1, 31));
    });
  }

  it('finds its place without reading the whole store', async () => {
    const store = fakeStore();
    for (let i = 0; i < 1000; i++) store.commit(2);
    const { stream, seen } = reader();

    const done = streamTail(store.source, stream, 1990);
    await until('the last row', () => seen().at(-1) === 2000);
    stream.destroy();
    await done;

    assert.ok(store.looks() < 30, `${store.looks()} looks`);
  });

  it('says how many rows are no longer held', async () => {
    const store = fakeStore();
    for (let i = 0; i < 5; i++) store.commit(2);
    store.forget(3);
    const { stream, seen } = reader();

    const done = streamTail(store.source, stream, 2);
    await until('the last row', () => seen().at(-1) === 10);
    stream.destroy();
    await done;

    assert.deepEqual(seen(), [{ skipped: 4 }, 7, 8, 9, 10]);
  });

  it('takes a number of an earlier life of the store for none', async () => {
    const store = fakeStore();
    store.commit(2);
    const { stream, seen } = reader();

    const done = streamTail(store.source, stream, 5_000_000);
    store.commit(1);
    await until('the new row', () => seen().length === 1);
    stream.destroy();
    await done;

    assert.deepEqual(seen(), [3]);
  });

  it('reads nothing ahead for a slow reader, which then gets every row that is still held', async () => {
    const store = fakeStore();
    const { stream, seen, stall, resume } = reader();
    stall();
    const done = streamTail(store.source, stream, undefined);
    for (let i = 0; i < 50; i++) store.commit(10, 'x'.repeat(500));
    await until('the first rows', () => seen().length > 0);
    const looks = store.looks();

    for (let i = 0; i < 50; i++) store.commit(10, 'x'.repeat(500));
    assert.equal(store.looks(), looks);
    assert.ok(stream.writableLength < 12_000);
    store.forget(20);
    resume();
    await until('the last row', () => seen().at(-1) === 1000);
    stream.destroy();
    await done;

    const skipped = seen().find((entry) => typeof entry === 'object')?.skipped;
    assert.ok(skipped > 0);
    assert.equal(seen().length - 1 + skipped, 1000);
  });

  it('ends when the reader goes away, also in the middle of a wait', async () => {
    const store = fakeStore();
    const { stream, stall } = reader();
    stall();
    const done = streamTail(store.source, stream);
    store.commit(10, 'x'.repeat(500));
    await new Promise(setImmediate);

    stream.destroy();
    await done;

    assert.equal(store.listeners.size, 0);
  });
});
