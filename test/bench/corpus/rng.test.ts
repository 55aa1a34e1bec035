import assert from 'node:assert/strict';
import { createRng, type Rng } from '../../../bench/corpus/rng.ts';

describe('bench/corpus/rng', () => {
  it('repeats itself for the same seed', () => {
    const [first, second, other] = ['x', 'x', 'y'].map((seed) => draw(createRng(seed)));

    assert.deepEqual(first, second);
    assert.notDeepEqual(first, other);
  });

  it('stays inside the bounds and reaches both ends', () => {
    const rng = createRng(1);

    const drawn = new Set(Array.from({ length: 500 }, () => rng.int(3, 6)));

    assert.deepEqual([...drawn].sort(), [3, 4, 5, 6]);
  });

  it('gives a fork that does not depend on what was drawn before', () => {
    const [fresh, used] = [createRng('seed'), createRng('seed')];
    used.float();

    const [first, second] = [draw(fresh.fork('a')), draw(used.fork('a'))];

    assert.deepEqual(first, second);
  });

  it('prefers small numbers over large ones on a logarithmic scale', () => {
    const rng = createRng('log');

    const small = Array.from({ length: 1_000 }, () => rng.logInt(1, 10_000)).filter((value) => value <= 100);

    assert.ok(small.length > 400 && small.length < 600, String(small.length));
  });
});

function draw(rng: Rng): unknown[] {
  return [
    rng.float(),
    rng.int(0, 1e6),
    rng.logInt(1, 1e6),
    rng.pick(['a', 'b', 'c']),
    rng.hex(7),
    rng.uuid(),
  ];
}
