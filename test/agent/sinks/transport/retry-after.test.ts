import assert from 'node:assert/strict';
import fc from 'fast-check';
import { retryAfterMs } from '../../../../agent/sinks/transport/retry-after.ts';

const HOUR = 60 * 60_000;
const NOW = Date.UTC(2026, 10, 30, 12);

describe('agent/sinks/transport/retry-after', () => {
  const cases: readonly (readonly [header: string | undefined, ms: number | undefined])[] = [
    ['0', 0],
    ['7', 7000],
    [' 120 ', 120_000],
    ['1.5', 1500],
    ['3600', HOUR],
    ['3601', HOUR],
    ['99999999999999999999999999', HOUR],
    ['-1', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
    ['1e3', undefined],
    ['Infinity', undefined],
    ['Mon, 30 Nov 2026 12:00:30 GMT', 30_000],
    ['Monday, 30-Nov-26 12:00:30 GMT', 30_000],
    ['Mon Nov 30 12:00:30 2026', 30_000],
    ['Mon, 30 Nov 2026 11:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', HOUR],
    ['2026-11-30T12:00:30Z', undefined],
  ];
  for (const [header, ms] of cases) {
    it(`reads ${JSON.stringify(header)} as ${ms}`, () => {
      assert.equal(retryAfterMs(header, { date: undefined, now: NOW }), ms);
    });
  }

  it('measures a date by the clock of the answer when there is one', () => {
    const context = { date: 'Thu, 01 Jan 1970 00:00:00 GMT', now: NOW };

    assert.equal(retryAfterMs('Thu, 01 Jan 1970 00:00:05 GMT', context), 5000);
  });

  it('never gives anything but a time up to an hour', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (header, date) => {
        const ms = retryAfterMs(header, { date, now: NOW });

        assert.ok(ms === undefined || (ms >= 0 && ms <= HOUR));
      }),
    );
  });
});
