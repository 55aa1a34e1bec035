import assert from 'node:assert/strict';
import { Quarantine } from '../../../agent/capture/quarantine.ts';

const MINUTE = 60_000;

describe('agent/capture/quarantine', () => {
  it('sets a file aside at the third death at the same place', () => {
    const quarantine = new Quarantine();

    const answers = [1, 2, 3, 4].map((now) => quarantine.blame('a', false, now));

    assert.deepEqual(answers, [false, false, true, false]);
    assert.deepEqual(quarantine.files(), ['a']);
  });

  it('takes ten kills from outside for one file', () => {
    const quarantine = new Quarantine();

    const answers = Array.from({ length: 10 }, (_, now) => quarantine.blame('a', true, now));

    assert.deepEqual(answers, [...Array(9).fill(false), true]);
  });

  it('begins to count anew when reading went on in between', () => {
    const quarantine = new Quarantine();

    for (let round = 0; round < 20; round++) {
      assert.equal(quarantine.blame('a', round % 2 === 0, round), false);
      quarantine.progress('a', round + 1);
    }
  });

  it('counts on when reading always gets to the same place', () => {
    const quarantine = new Quarantine();
    quarantine.blame('a', false, 1);

    quarantine.progress('a', 500);
    const answers = [2, 3, 4].map((now) => {
      quarantine.progress('a', 500);
      return quarantine.blame('a', false, now);
    });

    assert.deepEqual(answers, [false, false, true]);
  });

  it('counts deaths of each file for itself', () => {
    const quarantine = new Quarantine();

    for (const file of ['a', 'b', 'a', 'b']) assert.equal(quarantine.blame(file, false, 1), false);

    assert.equal(quarantine.blame('b', false, 1), true);
    assert.deepEqual(quarantine.files(), ['b']);
  });

  it('adds up no deaths that lie ten minutes apart', () => {
    const quarantine = new Quarantine();

    for (let round = 0; round < 5; round++)
      assert.equal(quarantine.blame('a', false, round * 10 * MINUTE), false);
  });

  it('gives a file another chance after ten minutes, with all its tries', () => {
    const quarantine = new Quarantine();
    for (const now of [1, 2, 3]) quarantine.blame('a', false, now);

    const early = quarantine.release(9 * MINUTE);
    const due = quarantine.release(11 * MINUTE);

    assert.deepEqual([early, due, quarantine.files()], [[], ['a'], []]);
    assert.deepEqual(
      [1, 2, 3].map((n) => quarantine.blame('a', false, 12 * MINUTE + n)),
      [false, false, true],
    );
  });
});
