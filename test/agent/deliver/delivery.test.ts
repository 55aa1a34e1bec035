import assert from 'node:assert/strict';
import fc from 'fast-check';
import { batchIdOf } from '../../../agent/contract/batch.ts';
import { createDelivery } from '../../../agent/deliver/delivery.ts';
import { batchOf, rowsOf, textsOf } from '../../support/batches.ts';

/** Plays a sink that refuses any piece with one of the bad rows; returns what it took and how often it was asked. */
function play(count: number, bad: ReadonlySet<number>, fromEnd = false) {
  const delivery = createDelivery(batchOf(rowsOf(count)), { fromEnd });
  const taken: number[] = [];
  let requests = 0;
  for (let piece = delivery.front(); piece; piece = delivery.front()) {
    requests++;
    if (piece.indices.some((index) => bad.has(index))) delivery.invalid('status 400');
    else {
      taken.push(...piece.indices);
      delivery.accept();
    }
  }
  const suspects = delivery.suspects.map(({ index }) => index);
  return { taken: taken.sort((a, b) => a - b), suspects: suspects.sort((a, b) => a - b), requests };
}

describe('agent/deliver/delivery', () => {
  it('finds one poison row among a thousand with 2*log2(n)+1 more requests at most', () => {
    for (const poison of [0, 1, 333, 499, 500, 998, 999]) {
      const { taken, suspects, requests } = play(1000, new Set([poison]));

      assert.deepEqual(suspects, [poison]);
      assert.equal(taken.length, 999);
      assert.ok(requests - 1 <= 2 * Math.log2(1000) + 1, `${requests} requests for row ${poison}`);
    }
  });

  it('keeps that bound for every size and place, from either end', () => {
    for (let count = 2; count <= 70; count++) {
      for (let poison = 0; poison < count; poison++) {
        for (const fromEnd of [false, true]) {
          const { suspects, requests } = play(count, new Set([poison]), fromEnd);

          assert.deepEqual(suspects, [poison]);
          assert.ok(requests - 1 <= 2 * Math.log2(count) + 1, `${requests} requests, ${poison} of ${count}`);
        }
      }
    }
  });

  it('gives every row exactly one outcome, whatever is refused', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.uniqueArray(fc.nat(59)),
        fc.boolean(),
        (count, rows, end) => {
          const bad = new Set(rows.filter((row) => row < count));
          const { taken, suspects } = play(count, bad, end);

          assert.deepEqual(
            suspects,
            [...bad].sort((a, b) => a - b),
          );
          assert.deepEqual(
            [...taken, ...suspects].sort((a, b) => a - b),
            [...Array(count).keys()],
          );
        },
      ),
    );
  });

  it('makes pieces whose id, numbers and lines are their own', () => {
    const batch = batchOf(rowsOf(5, 11));
    const delivery = createDelivery(batch);

    delivery.tooLarge('status 413');
    const first = delivery.front()?.batch;
    delivery.accept();
    const second = delivery.front()?.batch;

    assert.equal(first?.id, batchIdOf(batch.rowIds.slice(0, 2)));
    assert.deepEqual([first?.firstSeq, first?.lastSeq, first?.rows], [11, 12, 2]);
    assert.deepEqual([second?.firstSeq, second?.lastSeq, second?.rows], [13, 15, 3]);
    assert.deepEqual(textsOf(second?.ndjson ?? ''), ['row 13', 'row 14', 'row 15']);
    assert.equal(second?.lane, 'live');
  });

  it('sends the batch itself as long as it is whole', () => {
    const batch = batchOf(rowsOf(3));
    const delivery = createDelivery(batch);

    delivery.answer([], [0, 1, 2]);

    assert.equal(delivery.front()?.batch, batch);
  });

  it('ignores rows in an answer that the piece does not have', () => {
    const delivery = createDelivery(batchOf(rowsOf(3)));

    const taken = delivery.answer([{ index: 7, reason: 'x' }], [9, -1]);

    assert.equal(taken, 3);
    assert.equal(delivery.front(), undefined);
    assert.deepEqual(delivery.rejected, []);
  });

  it('starts with pieces no larger than the sink is known to take', () => {
    const batch = batchOf(rowsOf(10));
    const bytes = batch.ndjson.length / 10;
    const delivery = createDelivery(batch, {
      limits: { maxRows: 100, maxBytes: bytes * 4 },
    });
    const sizes: number[] = [];

    for (let piece = delivery.front(); piece; piece = delivery.front()) {
      sizes.push(piece.batch.rows);
      assert.ok(piece.batch.ndjson.length <= bytes * 4);
      delivery.accept();
    }

    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      10,
    );
    assert.ok(sizes.length <= 4);
  });
});
