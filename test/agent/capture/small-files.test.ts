import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSmallFiles } from '../../../agent/capture/small-files.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/temp.ts';

describe('agent/capture/small-files', () => {
  it('reads texts and lists folders below its root', () => {
    const { dir, small } = setUp();
    mkdirSync(join(dir, 'p'));
    writeFileSync(join(dir, 'p', 'root'), '/home/alice/p');

    assert.equal(small.text('p/root'), '/home/alice/p');
    assert.deepEqual(small.list('p'), ['root']);
  });

  it('knows no text of what is not there, a folder, a link, a pipe or too large', () => {
    const { dir, small } = setUp();
    mkdirSync(join(dir, 'folder'));
    writeFileSync(join(dir, 'large'), Buffer.alloc(1024 * 1024 + 1));
    writeFileSync(join(dir, 'real'), 'secret');
    symlinkSync(join(dir, 'real'), join(dir, 'link'));
    spawnSync('mkfifo', [join(dir, 'pipe')]);

    for (const name of ['none', 'folder', 'large', 'link', 'pipe', 'n'.repeat(300)])
      assert.equal(small.text(name), undefined, name);
    assert.deepEqual(small.list('none'), []);
    assert.deepEqual(small.list('real'), []);
  });

  it('gives the beginning of a file of any size', () => {
    const { dir, small } = setUp();
    writeFileSync(join(dir, 'large'), Buffer.alloc(1024 * 1024 + 1, 'x'));
    writeFileSync(join(dir, 'short'), 'abc');

    assert.equal(small.text('large', 4), 'xxxx');
    assert.equal(small.text('short', 4), 'abc');
    assert.equal(small.text('large'), undefined);
  });

  it("knows no text of another user's file", () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'a'), 'text');

    const small = createSmallFiles(dir, (process.getuid?.() ?? 0) + 1, new FakeClock());

    assert.equal(small.text('a'), undefined);
  });

  it('asks the disk once for a burst, and again a moment later', async () => {
    const { dir, small, clock } = setUp();
    writeFileSync(join(dir, 'a'), 'one');
    const [first, folder] = [small.text('a'), small.list('.')];

    writeFileSync(join(dir, 'a'), 'two');
    writeFileSync(join(dir, 'b'), '');
    const soon = [small.text('a'), small.list('.')];
    await clock.advance(1_500);

    assert.deepEqual(soon, [first, folder]);
    assert.equal(small.text('a'), 'two');
    assert.deepEqual(small.list('.'), ['a', 'b']);
  });

  it('keeps answers of a few mebibytes at most, however fresh they are', () => {
    const { dir, small } = setUp();
    writeFileSync(join(dir, 'first'), 'one');
    writeFileSync(join(dir, 'large'), Buffer.alloc(1024 * 1024, 'x'));
    small.text('first');
    writeFileSync(join(dir, 'first'), 'two');

    for (let n = 1; n <= 4; n++) small.text(`${'./'.repeat(n)}large`);
    const soon = small.text('first');
    for (let n = 5; n <= 9; n++) small.text(`${'./'.repeat(n)}large`);

    assert.equal(soon, 'one');
    assert.equal(small.text('first'), 'two');
  });
});

function setUp() {
  const dir = tempDir();
  const clock = new FakeClock();
  return { dir, clock, small: createSmallFiles(dir, null, clock) };
}
