import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toUtc, utcOfMs } from '../../../parsers/shared/time.ts';

describe('parsers/shared/time', () => {
  it('keeps a time that has the form of rows already', () => {
    assert.equal(toUtc('2026-10-01T09:00:05.123Z'), '2026-10-01T09:00:05.123Z');
  });

  it('brings other RFC 3339 times to UTC and milliseconds', () => {
    const times: readonly (readonly [given: string, utc: string])[] = [
      ['2026-10-01T09:00:05Z', '2026-10-01T09:00:05.000Z'],
      ['2026-10-01t09:00:05.1z', '2026-10-01T09:00:05.100Z'],
      ['2026-10-01T09:00:05.123456789Z', '2026-10-01T09:00:05.123Z'],
      ['2026-10-01T01:00:05.5-08:00', '2026-10-01T09:00:05.500Z'],
      ['2026-10-01T00:30:00+01:30', '2026-09-30T23:00:00.000Z'],
      ['2026-10-01 09:00:05+00:00', '2026-10-01T09:00:05.000Z'],
      ['2028-02-29T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
    ];

    for (const [given, utc] of times) assert.equal(toUtc(given), utc, given);
  });

  it('takes nothing else for a time', () => {
    const wrong = [
      '2026-02-30T09:00:00.000Z',
      '2027-02-29T00:00:00.000Z',
      '2026-04-31T00:00:00Z',
      '2026-13-01T00:00:00.000Z',
      '2026-00-01T00:00:00.000Z',
      '2026-10-00T00:00:00.000Z',
      '2026-10-01T24:00:00.000Z',
      '2026-10-01T09:60:00.000Z',
      '2026-10-01T09:00:60.000Z',
      '2026-10-01T09:00:00+25:00',
      '2026-10-01T09:00:00',
      '2026-10-01',
      'yyyy-10-01T09:00:00.000Z',
      '2026-10-01T09:00:00.00xZ',
      '',
      1790845200000,
      null,
      {},
    ];

    for (const value of wrong) assert.equal(toUtc(value), null, String(value));
  });

  it('agrees with Date on any real time', () => {
    const dates = fc.date({
      min: new Date(0),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });

    fc.assert(
      fc.property(dates, (date) => {
        assert.equal(toUtc(date.toISOString()), date.toISOString());
        assert.equal(utcOfMs(date.getTime()), date.toISOString());
      }),
    );
  });

  it('gives no time outside the years that can be written', () => {
    for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 9e15, -9e15]) assert.equal(utcOfMs(ms), null);
  });
});
