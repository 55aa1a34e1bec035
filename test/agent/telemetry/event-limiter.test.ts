import assert from 'node:assert/strict';
import { createEventLimiter } from '../../../agent/telemetry/event-limiter.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function setUp() {
  const clock = new FakeClock();
  const summaries: [string, number][] = [];
  const limiter = createEventLimiter({
    clock,
    limit: 2,
    windowMs: 1000,
    summarise: (...summary) => summaries.push(summary),
  });
  const admitted = (identity: string, times: number) =>
    Array.from({ length: times }, () => limiter.admit(identity)).filter(Boolean).length;
  return { clock, summaries, limiter, admitted };
}

describe('agent/telemetry/event-limiter', () => {
  it('counts each identity by itself', () => {
    const { admitted, limiter } = setUp();

    assert.deepEqual([admitted('a', 5), admitted('b', 1)], [2, 1]);
    assert.equal(limiter.suppressed(), 3);
  });

  it('summarises at the end of the window, once, and only when something was held back', async () => {
    const { clock, admitted, summaries } = setUp();

    admitted('a', 5);
    admitted('b', 2);
    await clock.advance(999);
    assert.deepEqual(summaries, []);
    await clock.advance(5000);

    assert.deepEqual(summaries, [['a', 3]]);
  });

  it('opens a new window after the old one, whatever the wall clock does', async () => {
    const { clock, admitted } = setUp();

    admitted('a', 5);
    clock.jumpWall(-3_600_000);
    await clock.advance(1000);

    assert.equal(admitted('a', 5), 2);
  });

  it('gives summaries early when asked, and none twice', async () => {
    const { clock, admitted, limiter, summaries } = setUp();

    admitted('a', 4);
    limiter.flush();
    await clock.advance(2000);

    assert.deepEqual(summaries, [['a', 2]]);
  });

  it('stays bounded under a flood of identities', () => {
    const { admitted, limiter, summaries } = setUp();

    admitted('first', 3);
    for (let i = 0; i < 5000; i++) limiter.admit(`identity ${i}`);

    assert.deepEqual(summaries, [['first', 1]]);
    assert.equal(admitted('first', 3), 2);
  });
});
