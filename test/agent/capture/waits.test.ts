import assert from 'node:assert/strict';
import { Waits } from '../../../agent/capture/waits.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('agent/capture/waits', () => {
  it('runs what waits once, and then knows nothing of it', async () => {
    const { clock, waits, ran } = setUp();

    waits.set('a', 'gone', { ms: 100, task: ran('a') });
    await clock.advance(50);
    const early = [...ran.names];
    await clock.advance(1_000);

    assert.deepEqual(early, []);
    assert.deepEqual(ran.names, ['a']);
    assert.equal(waits.size, 0);
  });

  it('lets a new wait take the place of the old one of the same file and reason', async () => {
    const { clock, waits, ran } = setUp();
    waits.set('a', 'settle', { ms: 100, task: ran('first') });
    waits.set('a', 'retry', { ms: 100, task: ran('retry') });
    await clock.advance(60);

    waits.set('a', 'settle', { ms: 100, task: ran('second') });
    await clock.advance(60);
    const early = [...ran.names];
    await clock.advance(60);

    assert.deepEqual(early, ['retry']);
    assert.deepEqual(ran.names, ['retry', 'second']);
  });

  it('keeps a wait that its own task sets again', async () => {
    const { clock, waits, ran } = setUp();
    waits.set('a', 'settle', {
      ms: 10,
      task: () => waits.set('a', 'settle', { ms: 10, task: ran('again') }),
    });

    await clock.advance(15);
    const between = waits.size;
    await clock.advance(10);

    assert.equal(between, 1);
    assert.deepEqual(ran.names, ['again']);
  });

  it('forgets one wait, or all of them', async () => {
    const { clock, waits, ran } = setUp();
    for (const key of ['a', 'b', 'c']) waits.set(key, 'gone', { ms: 10, task: ran(key) });

    waits.cancel('a', 'gone');
    waits.cancel('never', 'gone');
    const left = waits.size;
    waits.cancelAll();
    await clock.advance(1_000);

    assert.equal(left, 2);
    assert.equal(waits.size, 0);
    assert.deepEqual(ran.names, []);
  });
});

function setUp() {
  const clock = new FakeClock();
  const names: string[] = [];
  const ran = Object.assign((name: string) => () => void names.push(name), { names });
  return { clock, waits: new Waits(clock), ran };
}
