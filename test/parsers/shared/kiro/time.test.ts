import assert from 'node:assert/strict';
import { derived, timeOf } from '../../../../parsers/shared/kiro/time.ts';

const EVENT = '2026-10-01T08:00:00.000Z';

describe('parsers/shared/kiro/time', () => {
  it('reads every form of a time', () => {
    for (const value of [
      1_790_841_600,
      1_790_841_600_000,
      '1790841600000',
      '1790841600',
      '2026-10-01T10:00:00+02:00',
      '2026-10-01T08:00:00.000000001Z',
    ])
      assert.deepEqual([timeOf(value).utc, timeOf(value).source], [EVENT, 'record']);
  });

  it('keeps what was written where UTC in milliseconds says less, and nothing else', () => {
    for (const value of ['2026-10-01T10:00:00+02:00', '2026-10-01T08:00:00.000000001Z'])
      assert.equal(timeOf(value).original, value);
    for (const value of [EVENT, '2026-10-01T08:00:00Z', '2026-10-01T08:00:00.000000+00:00', 1_790_841_600])
      assert.equal(timeOf(value).original, undefined);
  });

  it('gives none for anything else', () => {
    for (const value of [0, -5, Number.NaN, 'yesterday', null, undefined, {}, '', 1e20])
      assert.deepEqual(timeOf(value), { utc: null, source: 'none' });
  });

  it('marks a time that stands beside the record', () => {
    assert.deepEqual(derived(timeOf(EVENT)), { utc: EVENT, source: 'derived' });
    assert.deepEqual(derived(timeOf('')), { utc: null, source: 'none' });
  });
});
