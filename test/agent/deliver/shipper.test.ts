import assert from 'node:assert/strict';
import { silentLogger } from '../../../agent/contract/logger.ts';
import { noMetrics } from '../../../agent/contract/metrics.ts';
import type { SendResult } from '../../../agent/contract/sink.ts';
import { createShipper } from '../../../agent/deliver/shipper.ts';
import { rowOf, rowsOf, textsOf } from '../../support/batches.ts';
import { settle } from '../../support/fake-clock.ts';
import { onCleanUp } from '../../support/temp.ts';
import { ACCEPTED, BUSY, FakeSink, poisonedBy, quiet, rig } from './support.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const INVALID: SendResult = { kind: 'refused', cause: 'invalid', reason: 'status 400' };

describe('agent/deliver/shipper', () => {
  describe('order', () => {
    it('sends alerts before live rows before backfill, one request at a time', async () => {
      const { store, sink, shipper } = rig({ limits: { maxRows: 2, maxBytes: 1 << 20 } });
      store.add('backfill', rowsOf(3, 1));
      store.add('live', rowsOf(3, 11));
      store.add('alert', rowsOf(1, 21));

      shipper.start();
      await quiet();

      assert.deepEqual(
        sink.sent.map(({ lane }) => lane),
        ['alert', 'live', 'live', 'backfill', 'backfill'],
      );
      assert.equal(sink.mostInFlight, 1);
      assert.equal(store.waiting(), 0);
    });

    it('chooses the lane anew before every batch', async () => {
      const { store, sink, shipper } = rig({ limits: { maxRows: 1, maxBytes: 1 << 20 } });
      store.add('backfill', rowsOf(3));
      sink.answer = (_batch, count) => {
        if (count === 1) store.add('alert', rowsOf(1, 11));
        return ACCEPTED;
      };

      shipper.start();
      await quiet();

      assert.deepEqual(
        sink.sent.map(({ lane }) => lane),
        ['backfill', 'alert', 'backfill', 'backfill'],
      );
    });

    it('lets an alert pass a batch that is being bisected', async () => {
      const { store, sink, shipper } = rig();
      store.add('backfill', rowsOf(64));
      const refuse = poisonedBy('row 64');
      sink.answer = (batch, count, signal) => {
        if (count === 3) store.add('alert', rowsOf(1, 101));
        return refuse(batch, count, signal);
      };

      shipper.start();
      await quiet();

      assert.equal(sink.sent[3]?.lane, 'alert');
      assert.equal(sink.taken.length, 64);
      assert.deepEqual(store.setAside, [{ text: 'row 64', reason: 'status 400' }]);
    });

    it('sends at once when it is poked while idle', async () => {
      const { clock, store, sink, shipper } = rig();
      shipper.start();
      await quiet();
      const before = clock.monotonic();
      store.add('live', rowsOf(1));

      shipper.poke();
      await quiet();

      assert.deepEqual(sink.taken, ['row 1']);
      assert.equal(clock.monotonic(), before);
    });

    it('finds rows also when nobody pokes it', async () => {
      const { clock, store, sink, shipper } = rig();
      shipper.start();
      await quiet();
      store.add('live', rowsOf(1));

      await clock.advance(31_000);

      assert.deepEqual(sink.taken, ['row 1']);
    });

    it('waits a random time before its first request when it is told to', async () => {
      const { clock, store, sink, shipper } = rig({ startSpreadMs: MINUTE, random: () => 0.5 });
      store.add('live', rowsOf(1));

      shipper.start();
      await quiet();
      shipper.poke();
      await clock.advance(29_000);
      const early = sink.sent.length;
      await clock.advance(2000);

      assert.equal(early, 0);
      assert.equal(sink.sent.length, 1);
    });
  });

  describe('position', () => {
    it('moves only after the sink has acknowledged', async () => {
      const { store, sink, shipper } = rig();
      const answer = Promise.withResolvers<SendResult>();
      sink.answer = () => answer.promise;
      store.add('live', rowsOf(3));

      shipper.start();
      await quiet();
      const before = store.settled;
      answer.resolve(ACCEPTED);
      await quiet();

      assert.equal(before, 0);
      assert.equal(store.settled, 1);
      assert.equal(store.waiting(), 0);
    });

    it('stays when the shipper ends before the answer; the next one sends the rows again', async () => {
      const { clock, store, sink, shipper } = rig();
      let aborted = false;
      sink.answer = (_batch, _count, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            resolve(ACCEPTED);
          });
        });
      store.add('live', rowsOf(3));
      shipper.start();
      await quiet();

      await shipper.stop();
      const next = new FakeSink(clock);
      const second = createShipper({ sink: next, store, clock, logger: silentLogger, metrics: noMetrics });
      onCleanUp(() => second.stop());
      second.start();
      await quiet();

      assert.ok(aborted);
      assert.deepEqual(next.taken, ['row 1', 'row 2', 'row 3']);
      assert.equal(next.sent[0]?.id, sink.sent[0]?.id);
      assert.equal(store.settled, 1);
    });

    it('is moved again when the store failed, without sending the rows again', async () => {
      const { clock, store, sink, shipper, events } = rig();
      sink.answer = () => {
        store.failure = new Error('disk full');
        return ACCEPTED;
      };
      store.add('live', rowsOf(3));
      shipper.start();
      await quiet();

      store.failure = undefined;
      await clock.advance(2000);

      assert.equal(sink.sent.length, 1);
      assert.equal(store.settled, 1);
      assert.deepEqual(events, ['deliver.store']);
    });

    it('waits with growing pauses for a store that cannot be read, however often it is poked', async () => {
      const { clock, store, sink, shipper, events } = rig();
      store.add('live', rowsOf(1));
      store.failure = new Error('database is locked');
      shipper.start();
      await quiet();
      for (let second = 0; second < 60; second++) {
        shipper.poke();
        await clock.advance(1000);
      }
      const failures = events.length;

      store.failure = undefined;
      await clock.advance(5 * MINUTE);

      assert.ok(failures < 10, `${failures} looks in a minute`);
      assert.deepEqual(sink.taken, ['row 1']);
    });
  });

  describe('retry', () => {
    it('sends the same batch again, and takes no other before', async () => {
      const { clock, store, sink, shipper } = rig();
      sink.answer = (_batch, count) => (count <= 2 ? BUSY : ACCEPTED);
      store.add('live', rowsOf(3));

      shipper.start();
      await quiet();
      await clock.advance(10_000);

      assert.equal(new Set(sink.sent.map(({ id }) => id)).size, 1);
      assert.equal(sink.sent.length, 3);
      assert.deepEqual(sink.taken, ['row 1', 'row 2', 'row 3']);
    });

    it('spaces requests by full jitter, and a poke changes nothing', async () => {
      const draws = [0, 0.5, 0.999];
      const { clock, store, sink, shipper } = rig({
        answer: () => BUSY,
        random: () => draws[(sink.sent.length - 1) % 3] ?? 0,
      });
      store.add('live', rowsOf(1));
      shipper.start();
      await quiet();

      for (let second = 0; second < 60; second++) {
        shipper.poke();
        await clock.advance(1000);
      }

      const gaps = sink.times.slice(1).map((time, index) => time - (sink.times[index] ?? 0));
      assert.ok(sink.sent.length >= 5 && sink.sent.length <= 12, `${sink.sent.length} requests in a minute`);
      for (const [index, gap] of gaps.entries()) {
        assert.ok(gap >= 100 && gap <= 1000 * 2 ** index, `pause ${index} of ${gap} ms`);
      }
    });

    it('asks a collector that is away for a week at most every few minutes, and keeps one batch in hand', async () => {
      const { clock, store, sink, shipper } = rig({ answer: () => BUSY, random: Math.random });
      store.add('live', rowsOf(2000));
      shipper.start();
      await quiet();

      for (let hour = 0; hour < 7 * 24; hour++) await clock.advance(HOUR);
      const requests = sink.sent.length;
      sink.answer = () => ACCEPTED;
      await clock.advance(5 * MINUTE);
      await quiet();

      assert.ok(requests < 7 * 24 * 60, `${requests} requests in a week`);
      assert.equal(store.waiting(), 0);
      assert.deepEqual(
        sink.taken,
        rowsOf(2000).map(({ text }) => text),
      );
    });

    it('honours Retry-After', async () => {
      const { clock, store, sink, shipper } = rig();
      sink.answer = (_batch, count) => (count === 1 ? { ...BUSY, afterMs: 90_000 } : ACCEPTED);
      store.add('live', rowsOf(1));
      shipper.start();
      await quiet();

      await clock.advance(89_000);
      const early = sink.sent.length;
      await clock.advance(11_000);

      assert.equal(early, 1);
      assert.equal(sink.sent.length, 2);
    });

    it('waits no longer than an hour, whatever it is asked for', async () => {
      const { clock, store, sink, shipper } = rig();
      sink.answer = (_batch, count) => (count === 1 ? { ...BUSY, afterMs: 30 * DAY } : ACCEPTED);
      store.add('live', rowsOf(1));
      shipper.start();
      await quiet();

      await clock.advance(HOUR + 1000);

      assert.deepEqual(sink.taken, ['row 1']);
    });

    it('is not confused by a wall clock that jumps', async () => {
      const { clock, store, sink, shipper } = rig();
      sink.answer = (_batch, count) => (count === 1 ? BUSY : ACCEPTED);
      store.add('live', rowsOf(1));
      shipper.start();
      await quiet();

      clock.jumpWall(-2 * DAY);
      await clock.advance(1000);
      clock.jumpWall(4 * DAY);
      store.add('live', rowsOf(1, 2));
      shipper.poke();
      await quiet();

      assert.deepEqual(sink.taken, ['row 1', 'row 2']);
    });

    it('tries smaller pieces on a line that large requests do not get through', async () => {
      const { clock, store, sink, shipper } = rig();
      const big = rowsOf(64).map((row) => ({ ...row, text: `${row.text} ${'x'.repeat(4000)}` }));
      sink.answer = (batch) => (batch.ndjson.length > 100_000 ? BUSY : ACCEPTED);
      store.add('backfill', big);

      shipper.start();
      await quiet();
      await clock.advance(HOUR);

      assert.equal(store.waiting(), 0);
      assert.equal(sink.taken.length, 64);
      assert.equal(store.setAside.length, 0);
    });

    it('gives up on a request that never ends, and waits for no sink that ignores it', async () => {
      const { clock, store, sink, shipper } = rig({ attemptTimeoutMs: 30_000 });
      sink.answer = (_batch, count) => (count === 1 ? new Promise(() => {}) : ACCEPTED);
      store.add('live', rowsOf(1));
      shipper.start();
      await quiet();

      await clock.advance(32_000);

      assert.deepEqual(sink.taken, ['row 1']);
    });

    it('keeps the rows when the sink throws', async () => {
      const { clock, store, sink, shipper, events } = rig();
      sink.answer = (_batch, count) => {
        if (count === 1) throw new TypeError('undefined is not a function');
        return ACCEPTED;
      };
      store.add('live', rowsOf(1));
      shipper.start();
      await quiet();

      await clock.advance(2000);

      assert.deepEqual(sink.taken, ['row 1']);
      assert.deepEqual(events, ['sink.bug', 'sink.retrying']);
    });
  });

  describe('partial answer', () => {
    it('sends exactly the rows to retry again after a pause, and sets the rejected ones aside', async () => {
      const { clock, store, sink, shipper } = rig();
      sink.answer = (_batch, count) =>
        count === 1
          ? { kind: 'partial', rejected: [{ index: 3, reason: 'mapping' }], retry: [1, 2] }
          : ACCEPTED;
      store.add('live', rowsOf(4));

      shipper.start();
      await quiet();
      const atOnce = sink.sent.length;
      await clock.advance(1000);

      assert.equal(atOnce, 1);
      assert.deepEqual(textsOf(sink.sent[1]?.ndjson ?? ''), ['row 2', 'row 3']);
      assert.equal(sink.sent.length, 2);
      assert.deepEqual(store.setAside, [{ text: 'row 4', reason: 'mapping' }]);
      assert.deepEqual(sink.taken, ['row 1', 'row 2', 'row 3']);
    });

    it('names rows inside a piece by their place in the batch', async () => {
      const { clock, store, sink, shipper } = rig();
      sink.answer = (_batch, count) => {
        if (count === 1) return { kind: 'partial', rejected: [], retry: [1, 3] };
        return { kind: 'partial', rejected: [{ index: 1, reason: 'late' }], retry: [] };
      };
      store.add('live', rowsOf(4));

      shipper.start();
      await quiet();
      await clock.advance(1000);

      assert.deepEqual(store.setAside, [{ text: 'row 4', reason: 'late' }]);
    });

    it('holds back its lane and less urgent ones, not alerts', async () => {
      const { clock, store, sink, shipper } = rig();
      sink.answer = (batch) =>
        batch.lane === 'live' ? { kind: 'partial', rejected: [], retry: [0], afterMs: 60_000 } : ACCEPTED;
      store.add('live', rowsOf(1, 1));
      store.add('backfill', rowsOf(1, 11));
      shipper.start();
      await quiet();
      store.add('alert', rowsOf(1, 21));

      shipper.poke();
      await clock.advance(30_000);

      assert.deepEqual(
        sink.sent.map(({ lane }) => lane),
        ['live', 'alert'],
      );
    });

    it('waits longer and longer for rows that are never taken', async () => {
      const { clock, store, sink, shipper } = rig();
      sink.answer = () => ({ kind: 'partial', rejected: [], retry: [0] });
      store.add('live', rowsOf(1));
      shipper.start();
      await quiet();

      await clock.advance(10 * MINUTE);

      assert.ok(sink.sent.length < 15, `${sink.sent.length} requests in ten minutes`);
      assert.equal(shipper.status().state, 'retrying');
    });
  });

  describe('too large', () => {
    it('halves down to the row that is too large, and sets it aside', async () => {
      const { store, sink, shipper } = rig();
      sink.answer = (batch) =>
        batch.ndjson.length > 5000 ? { kind: 'refused', cause: 'too_large', reason: 'status 413' } : ACCEPTED;
      const rows = [...rowsOf(9), rowOf('y'.repeat(6000), 10), ...rowsOf(9, 11)];
      store.add('live', rows);

      shipper.start();
      await quiet();

      assert.equal(sink.taken.length, 18);
      assert.deepEqual(store.setAside, [{ text: 'y'.repeat(6000), reason: 'status 413' }]);
      assert.equal(store.waiting(), 0);
    });

    it('makes the next batches small enough from the start, for an hour', async () => {
      const { clock, store, sink, shipper } = rig({ limits: { maxRows: 40, maxBytes: 1 << 20 } });
      const limit = 20_000;
      sink.answer = (batch) =>
        batch.ndjson.length > limit
          ? { kind: 'refused', cause: 'too_large', reason: 'status 413' }
          : ACCEPTED;
      store.add('backfill', rowsOf(200));
      shipper.start();
      await quiet();
      const refusals = sink.sent.filter(({ ndjson }) => ndjson.length > limit).length;

      await clock.advance(HOUR + MINUTE);
      store.add('backfill', rowsOf(40, 201));
      shipper.poke();
      await quiet();

      assert.equal(refusals, 1);
      assert.equal(sink.sent.filter(({ ndjson }) => ndjson.length > limit).length, 2);
      assert.equal(store.waiting(), 0);
    });
  });

  describe('limits', () => {
    /** Hands out all that waits at once, as the store does with one large commit. */
    function oneSegment(maxRows: number, maxBytes: number) {
      const rigged = rig({ limits: { maxRows, maxBytes } });
      const { store } = rigged;
      const take = store.take.bind(store);
      store.take = (sink, lane) => take(sink, lane, { maxRows: 10_000, maxBytes: 1 << 30 });
      return rigged;
    }

    it('keeps to the rows of a request also for what was committed as one', async () => {
      const { store, sink, shipper } = oneSegment(2, 1 << 20);
      store.add('live', rowsOf(5));

      shipper.start();
      await quiet();

      assert.deepEqual(
        sink.sent.map(({ rows }) => rows),
        [2, 2, 1],
      );
      assert.equal(new Set(sink.taken).size, 5);
      assert.equal(store.settled, 1, 'the position moves when all of it is through');
    });

    it('keeps to the bytes of a request, and sends a row that is larger by itself', async () => {
      const { store, sink, shipper } = oneSegment(500, 4_000);
      store.add('live', [...rowsOf(8), rowOf('x'.repeat(9_000), 9), ...rowsOf(3, 10)]);

      shipper.start();
      await quiet();

      const large = sink.sent.filter(({ ndjson }) => ndjson.length > 4_000);
      assert.deepEqual(
        large.map(({ rows }) => rows),
        [1],
      );
      assert.equal(new Set(sink.taken).size, 12);
    });
  });

  describe('poison', () => {
    it('delivers 999 rows and sets one aside', async () => {
      const { store, sink, shipper } = rig({ limits: { maxRows: 1000, maxBytes: 1 << 24 } });
      sink.answer = poisonedBy('row 700');
      store.add('live', rowsOf(1000));

      shipper.start();
      await quiet();

      assert.equal(sink.taken.length, 999);
      assert.deepEqual(store.setAside, [{ text: 'row 700', reason: 'status 400' }]);
      assert.ok(sink.sent.length - 1 <= 2 * Math.log2(1000) + 1, `${sink.sent.length} requests`);
    });

    it('does not block when a poison row comes alone', async () => {
      const { store, sink, shipper } = rig({ answer: poisonedBy('row 2') });
      shipper.start();
      await quiet();
      store.add('live', rowsOf(1, 1));
      shipper.poke();
      await quiet();

      store.add('live', rowsOf(1, 2));
      shipper.poke();
      await quiet();
      store.add('live', rowsOf(1, 3));
      shipper.poke();
      await quiet();

      assert.deepEqual(sink.taken, ['row 1', 'row 3']);
      assert.equal(store.setAside.length, 1);
    });

    it('sets nothing aside for a collector that refuses everything from the start', async () => {
      const { clock, store, sink, shipper, events } = rig({ answer: () => INVALID });
      store.add('live', rowsOf(100));
      shipper.start();
      await quiet();

      await clock.advance(DAY);
      const state = shipper.status().state;
      sink.answer = () => ACCEPTED;
      await clock.advance(HOUR);

      assert.equal(state, 'refusing');
      assert.equal(store.setAside.length, 0);
      assert.equal(sink.taken.length, 100);
      assert.deepEqual(events, ['sink.refusing']);
    });

    it('loses at most a handful to a collector that begins to refuse everything', async () => {
      const { clock, store, sink, shipper } = rig({ limits: { maxRows: 10, maxBytes: 1 << 20 } });
      store.add('live', rowsOf(10));
      shipper.start();
      await quiet();

      sink.answer = () => INVALID;
      store.add('live', rowsOf(500, 11));
      shipper.poke();
      await clock.advance(10 * MINUTE);

      assert.ok(store.setAside.length <= 16, `${store.setAside.length} rows set aside`);
      assert.equal(shipper.status().state, 'refusing');
    });

    for (const [name, poison] of [
      ['beginning', (index: number) => index < 30],
      ['end', (index: number) => index >= 70],
    ] as const) {
      it(`finds the good rows when all poison is at the ${name}`, async () => {
        const texts = rowsOf(100).map(({ text }) => text);
        const bad = texts.filter((_, index) => poison(index));
        const { clock, store, sink, shipper } = rig({ answer: poisonedBy(...bad) });
        store.add('live', rowsOf(100));
        shipper.start();
        await quiet();

        await clock.advance(HOUR);

        assert.equal(sink.taken.length, 70);
        assert.deepEqual(
          store.setAside.map(({ text }) => text),
          bad,
        );
      });
    }

    it('holds a few refused rows until the sink takes something else', async () => {
      const { clock, store, sink, shipper } = rig({ answer: poisonedBy('row 1') });
      store.add('live', rowsOf(1, 1));
      shipper.start();
      await quiet();
      const alone = store.setAside.length;

      store.add('live', rowsOf(1, 2));
      await clock.advance(2000);

      assert.equal(alone, 0);
      assert.equal(store.setAside.length, 1);
      assert.deepEqual(sink.taken, ['row 2']);
    });

    it('sets a few rows aside at last when nothing else ever comes', async () => {
      const { clock, store, shipper } = rig({ answer: () => INVALID });
      store.add('live', rowsOf(2));
      shipper.start();
      await quiet();

      await clock.advance(HOUR);

      assert.equal(store.setAside.length, 2);
      assert.equal(store.waiting(), 0);
    });
  });

  describe('credential', () => {
    it('stops sending and asks again every minute until it is accepted', async () => {
      const { clock, store, sink, shipper, events } = rig();
      let token = 'old';
      sink.answer = () => (token === 'new' ? ACCEPTED : { kind: 'unauthorized', reason: 'status 401' });
      store.add('live', rowsOf(3));
      shipper.start();
      await quiet();

      await clock.advance(10 * MINUTE);
      const requests = sink.sent.length;
      const { state, lastError } = shipper.status();
      token = 'new';
      await clock.advance(70_000);

      assert.ok(requests >= 9 && requests <= 11, `${requests} requests in ten minutes`);
      assert.deepEqual([state, lastError], ['unauthorized', 'status 401']);
      assert.deepEqual(sink.taken, ['row 1', 'row 2', 'row 3']);
      assert.equal(shipper.status().state, 'ok');
      assert.deepEqual(events, ['sink.unauthorized']);
    });
  });

  describe('drain', () => {
    it('tells when everything is delivered', async () => {
      const { store, shipper } = rig({ limits: { maxRows: 5, maxBytes: 1 << 20 } });
      shipper.start();
      await quiet();
      store.add('backfill', rowsOf(23));

      const drained = await shipper.drain(10_000);

      assert.equal(drained, true);
      assert.equal(store.waiting(), 0);
    });

    it('tells after its time that it is not', async () => {
      const { clock, store, shipper } = rig({ answer: () => new Promise(() => {}) });
      store.add('live', rowsOf(1));
      shipper.start();
      await quiet();

      const drained = shipper.drain(10_000);
      await clock.advance(10_000);

      assert.equal(await drained, false);
    });

    it('tells at once when the next attempt lies beyond its time', async () => {
      const { clock, store, shipper } = rig({ answer: () => ({ ...BUSY, afterMs: 60_000 }) });
      store.add('live', rowsOf(1));
      shipper.start();
      await quiet();
      const before = clock.monotonic();

      const drained = await shipper.drain(10_000);

      assert.equal(drained, false);
      assert.equal(clock.monotonic(), before);
    });

    it('tells at once when the shipper stops or does not run', async () => {
      const { store, shipper } = rig({ answer: () => new Promise(() => {}) });
      store.add('live', rowsOf(1));
      const before = await shipper.drain(10_000);
      shipper.start();
      await quiet();
      const during = shipper.drain(10_000);

      await shipper.stop();

      assert.deepEqual([before, await during, await shipper.drain(10_000)], [false, false, false]);
    });
  });

  describe('status', () => {
    it('tells when it last succeeded and what went wrong since, in one short line', async () => {
      const { clock, store, sink, shipper } = rig();
      store.add('live', rowsOf(1));
      shipper.start();
      await quiet();
      const success = clock.now();
      sink.answer = () => ({ kind: 'retry', reason: `status 502\r\n\u001b[31m${'x'.repeat(1000)}` });
      store.add('live', rowsOf(1, 2));
      await clock.advance(60_000);

      const status = shipper.status();

      assert.equal(status.sink, 'central');
      assert.equal(status.state, 'retrying');
      assert.equal(status.lastSuccessAt, success);
      assert.ok(status.failures >= 2);
      assert.match(status.lastError ?? '', /^status 502 \[31mx{200,}\.\.\.$/);
    });

    it('counts what was sent, retried and set aside', async () => {
      const { clock, store, sink, shipper, counts } = rig();
      sink.answer = (_batch, count) =>
        count === 1 ? BUSY : { kind: 'partial', rejected: [{ index: 0, reason: 'no' }], retry: [] };
      store.add('backfill', rowsOf(4));
      shipper.start();
      await quiet();

      await clock.advance(1000);

      assert.equal(counts.get('holdfast_sent_rows_total central backfill'), 3);
      assert.ok((counts.get('holdfast_sent_bytes_total central') ?? 0) > 1000);
      assert.equal(counts.get('holdfast_send_retries_total central'), 1);
      assert.equal(counts.get('holdfast_rejected_rows_total central'), 1);
      assert.equal(counts.get('holdfast_sink_up central'), 1);
      assert.equal(shipper.status().rejectedRows, 1);
    });

    it('logs the change to the worse once', async () => {
      const { clock, store, shipper, events } = rig({ answer: () => BUSY });
      store.add('live', rowsOf(1));
      shipper.start();
      await quiet();

      await clock.advance(HOUR);
      await settle();

      assert.deepEqual(events, ['sink.retrying']);
    });
  });
});
