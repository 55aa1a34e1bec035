import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createReach, isOfNetwork } from '../../../agent/capture/reach.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';

const HOME = '/home/alice';

describe('agent/capture/reach', () => {
  it('says which directories are there, in the order of the questions', async () => {
    const reach = createReach({ clock: new FakeClock(), home: HOME });
    const dir = tempDir();
    const answers: string[] = [];

    reach.ask(
      dir,
      () => answers.push('there'),
      () => answers.push('missing'),
    );
    reach.ask(
      join(dir, 'none'),
      () => answers.push('there'),
      () => answers.push('missing'),
    );
    await until('both answers', () => answers.length === 2);

    assert.deepEqual(answers, ['there', 'missing']);
  });

  it('waits for one that does not answer, asks no further, and names it', async () => {
    const clock = new FakeClock();
    const asked: string[] = [];
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const reach = createReach({
      clock,
      home: HOME,
      look: (dir) => {
        asked.push(dir);
        return promise;
      },
    });
    const found: string[] = [];
    for (const dir of ['/net/a', '/net/b', '/net/a'])
      reach.ask(
        dir,
        () => found.push(dir),
        () => {},
      );
    assert.equal(reach.stuck(), undefined);

    await clock.advance(11_000);

    assert.equal(reach.stuck(), '/net/a');
    assert.deepEqual(asked, ['/net/a']);
    resolve(true);
    await until('the answers', () => found.length === 3);
    assert.equal(reach.stuck(), undefined);
  });

  it('lets directories of the home be looked at at once, and others when they have answered', async () => {
    const reach = createReach({ clock: new FakeClock(), home: HOME });
    const dir = tempDir();

    const before = reach.has(dir);
    await until('the answer', () => reach.has(dir));

    assert.equal(before, false);
    assert.ok(reach.has('/home/alice/shop'));
    assert.ok(!reach.has(join(dir, 'none')));
  });

  it('asks no other machine', () => {
    const asked: string[] = [];
    const reach = createReach({
      clock: new FakeClock(),
      home: HOME,
      look: (dir) => {
        asked.push(dir);
        return Promise.resolve(true);
      },
    });

    for (const dir of ['//host/share/x', '\\\\host\\share', '\\\\?\\C:\\x', '/'])
      reach.ask(
        dir,
        () => {},
        () => {},
      );

    assert.deepEqual(asked, []);
    assert.ok(isOfNetwork('\\\\host\\share'));
    assert.ok(!isOfNetwork('/srv/shop'));
  });
});
