import assert from 'node:assert/strict';
import { sleepWatch } from '../../../agent/capture/sleep-watch.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('agent/capture/sleep-watch', () => {
  it('says nothing while ticks come in time', async () => {
    const clock = new FakeClock();
    const slept = sleepWatch(clock);

    await clock.advance(5_000);

    assert.equal(slept(), false);
  });

  it('notices a tick that comes late, once', async () => {
    const clock = new FakeClock();
    const slept = sleepWatch(clock);

    await clock.advance(60_000);

    assert.equal(slept(), true);
    assert.equal(slept(), false);
  });

  it('notices a machine that slept: the wall clock went on alone', async () => {
    const clock = new FakeClock();
    const slept = sleepWatch(clock);

    await clock.advance(5_000);
    clock.jumpWall(3_600_000);

    assert.equal(slept(), true);
  });
});
