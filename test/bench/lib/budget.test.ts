import assert from 'node:assert/strict';
import { judge } from '../../../bench/lib/budget.ts';

const LOW = { what: 'time', unit: 'ms', bar: 60, aim: 10, better: 'lower' } as const;
const HIGH = { what: 'speed', unit: 'x', bar: 0.35, aim: 0.7, better: 'higher' } as const;

describe('bench/lib/budget', () => {
  it('is met by what is no worse than the bar', () => {
    const met = [judge(LOW, 60), judge(HIGH, 0.35), judge(LOW, 1), judge(HIGH, 2)].map(
      (verdict) => verdict.met,
    );

    assert.deepEqual(met, [true, true, true, true]);
  });

  it('is not met by what is worse, nor by what could not be measured', () => {
    const values = [judge(LOW, 60.1), judge(HIGH, 0.34), judge(LOW, Number.NaN), judge(HIGH, Number.NaN)];

    assert.ok(values.every(({ met }) => !met));
  });
});
