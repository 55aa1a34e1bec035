import assert from 'node:assert/strict';
import fc from 'fast-check';
import cron from 'node-cron';
import { cronPattern, everySeconds } from '../../../agent/keeper/schedules.ts';
import { systemClock } from '../../../agent/platform/clock.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { until } from '../../support/until.ts';

const HOUR = 3_600;

describe('agent/keeper/schedules', () => {
  for (const [seconds, pattern] of [
    [1, '*/1 * * * * *'],
    [15, '*/15 * * * * *'],
    [59, '*/59 * * * * *'],
    [60, '0 */1 * * * *'],
    [90, '0 */1 * * * *'],
    [120, '0 */2 * * * *'],
    [HOUR - 1, '0 */59 * * * *'],
    [HOUR, '0 0 */1 * * *'],
    [24 * HOUR, '0 0 */23 * * *'],
  ] as const) {
    it(`says ${seconds} seconds as ${pattern}`, () => {
      assert.equal(cronPattern(seconds), pattern);
      assert.ok(cron.validate(pattern));
    });
  }

  it('is never slower than asked', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 24 * HOUR }), (seconds) => {
        const pattern = cronPattern(seconds);
        const step = Number(/\/(\d+)/.exec(pattern)?.[1]);
        const unit = [1, 60, HOUR][pattern.split(' ').findIndex((field) => field.includes('/'))] ?? 0;

        assert.ok(step * unit <= seconds, `${pattern} for ${seconds} s`);
        assert.ok(step * unit * 2 > seconds, `${pattern} for ${seconds} s`);
      }),
    );
  });

  it('runs, and after its end neither runs nor is remembered', async () => {
    const known = cron.getTasks().size;
    let runs = 0;
    const schedule = everySeconds({ seconds: 1, name: 'test', clock: systemClock }, () => {
      runs++;
    });

    await until('a run', () => runs > 0);
    schedule.stop();
    const atEnd = runs;
    await new Promise((resolve) => setTimeout(resolve, 1_200));

    assert.equal(runs, atEnd);
    assert.equal(cron.getTasks().size, known);
  });

  it('runs on when the wall clock was set back and the schedule waits for a time long past', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const schedule = everySeconds({ seconds: 20 * HOUR, name: 'test', clock }, () => {
      runs++;
    });

    await clock.advance(20 * HOUR * 1_000);
    const early = runs;
    await clock.advance(100 * HOUR * 1_000);
    schedule.stop();

    assert.equal(early, 0);
    assert.ok(runs >= 2, `${runs} runs`);
  });
});
