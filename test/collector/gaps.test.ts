import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countIn, missingBetween, rangesOf } from '../../collector/gaps.ts';
import { rowsOf } from '../support/batches.ts';
import { hostsOf, send, startCollector } from './support.ts';

describe('collector/gaps', () => {
  it('makes ranges that hold exactly the given numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 })), (numbers) => {
        const ranges = rangesOf(numbers);

        const held = ranges.flatMap(({ first, last }) =>
          Array.from({ length: last - first + 1 }, (_, i) => first + i),
        );
        assert.deepEqual(
          held,
          [...new Set(numbers)].sort((a, b) => a - b),
        );
        for (const [index, range] of ranges.entries()) {
          const before = ranges[index - 1];
          assert.ok(!before || range.first > before.last + 1);
        }
      }),
    );
  });

  it('names what is missing from 1 to the last number', () => {
    const missing = missingBetween(rangesOf([3, 4, 9]));

    assert.deepEqual(missing, [
      { first: 1, last: 2 },
      { first: 5, last: 8 },
    ]);
    assert.equal(countIn(missing), 6);
    assert.deepEqual(missingBetween([]), []);
  });

  it('finds a gap and closes it when the rows come later', async () => {
    const collector = await startCollector();
    await send(collector, rowsOf(2, 1));
    await send(collector, rowsOf(2, 6));
    const [open] = await hostsOf(collector);

    await send(collector, rowsOf(1, 4));
    await send(collector, [...rowsOf(1, 5), ...rowsOf(1, 3)]);
    const [closed] = await hostsOf(collector);

    assert.deepEqual([open.first_seq, open.last_seq, open.missing_rows], [1, 7, 3]);
    assert.deepEqual(open.missing, [{ first: 3, last: 5 }]);
    assert.deepEqual([closed.missing_rows, closed.missing], [0, []]);
    assert.equal(closed.rows, 7);
  });

  it('gives the same result in whatever order batches come', async () => {
    const collector = await startCollector();
    const numbers = fc.sample(fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 10 }), {
      numRuns: 5,
      seed: 7,
    });

    for (const [round, order] of numbers.entries()) {
      for (const seq of order) await send(collector, rowsOf(1, seq), { epoch: `epoch-${round}` });
    }
    const hosts = await hostsOf(collector);

    for (const [round, order] of numbers.entries()) {
      const host = hosts.find(({ epoch }: { epoch: string }) => epoch === `epoch-${round}`);
      assert.deepEqual(host.missing, missingBetween(rangesOf(order)));
      assert.equal(host.last_seq, Math.max(...order));
    }
  });

  it('keeps the epochs of a host apart, and hosts from each other', async () => {
    const collector = await startCollector();
    await send(collector, rowsOf(3, 1), { epoch: 'old' });
    await send(collector, rowsOf(2, 2), { epoch: 'new' });
    await send(collector, rowsOf(1, 1), { host: 'host-2', epoch: 'old' });

    const hosts = await hostsOf(collector);

    const found = hosts.map((line: Record<string, unknown>) => [
      line['host'],
      line['epoch'],
      line['missing_rows'],
    ]);
    assert.deepEqual(found.sort(), [
      ['host-1', 'new', 1],
      ['host-1', 'old', 0],
      ['host-2', 'old', 0],
    ]);
  });

  it('counts rows that are known under another number as seen', async () => {
    const collector = await startCollector();
    await send(collector, rowsOf(3), { epoch: 'old' });
    const again = rowsOf(3).map((row) => ({ ...row, seq: row.seq + 1 }));

    await send(collector, again, { epoch: 'new' });

    const host = (await hostsOf(collector)).find(({ epoch }: { epoch: string }) => epoch === 'new');
    assert.deepEqual([host.rows, host.missing_rows, host.last_seq], [0, 1, 4]);
  });
});
