import assert from 'node:assert/strict';
import fc from 'fast-check';
import { backoffMs, retryDelayMs } from '../../../agent/deliver/backoff.ts';

const HOUR = 60 * 60_000;
const failures = fc.integer({ min: 1, max: 100_000 });
const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('agent/deliver/backoff', () => {
  it('doubles its ceiling from one second to five minutes', () => {
    const ceilings = [1, 2, 3, 4, 8, 9, 10, 11, 1000].map((count) => Math.round(backoffMs(count, () => 1)));

    assert.deepEqual(ceilings, [1000, 2000, 4000, 8000, 128_000, 256_000, 300_000, 300_000, 300_000]);
  });

  it('spreads over the whole range below the ceiling, but never to nothing', () => {
    fc.assert(
      fc.property(failures, draw, (count, value) => {
        const ms = backoffMs(count, () => value);

        assert.ok(ms >= 100 && ms <= 300_000);
      }),
    );
    assert.ok(backoffMs(9, () => 0.01) < 3000);
    assert.ok(backoffMs(9, () => 0.99) > 250_000);
  });

  it('waits at least as long as it was asked to, up to an hour', () => {
    fc.assert(
      fc.property(failures, draw, fc.double(), (count, value, afterMs) => {
        const own = backoffMs(count, () => value);
        const ms = retryDelayMs(count, afterMs, () => value);

        assert.ok(ms >= own && ms <= Math.max(HOUR, own));
        if (afterMs <= HOUR) assert.ok(ms >= afterMs);
      }),
    );
    assert.equal(
      retryDelayMs(1, 24 * HOUR, () => 0.5),
      HOUR,
    );
  });
});
