import assert from 'node:assert/strict';
import { median, quantile, sum } from '../../../bench/lib/stats.ts';

describe('bench/lib/stats', () => {
  it('takes the middle value whatever the order', () => {
    assert.equal(median([9, 1, 5]), 5);
  });

  it('takes the mean of the two middle values of an even count', () => {
    assert.equal(median([4, 1, 10, 2]), 3);
  });

  it('has no median of nothing', () => {
    assert.ok(Number.isNaN(median([])));
    assert.ok(Number.isNaN(quantile([], 0.5)));
  });

  it('takes the nearest rank as a quantile', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

    const taken = [0, 0.5, 0.9, 0.99, 1].map((q) => quantile(hundred, q));

    assert.deepEqual(taken, [1, 50, 90, 99, 100]);
  });

  it('leaves the values as they were', () => {
    const values = [3, 1, 2];

    median(values);
    quantile(values, 0.5);

    assert.deepEqual(values, [3, 1, 2]);
  });

  it('adds up', () => {
    assert.equal(sum([1, 2, 3.5]), 6.5);
  });
});
