import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchConfig } from '../../../agent/keeper/config-watch.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/temp.ts';

const EVERY_MS = 1_000;

describe('agent/keeper/config-watch', () => {
  it('tells once of a change, and of none when there is none', async () => {
    const { file, look, changes } = setUp();
    await look(5);
    const before = changes();

    appendFileSync(file, 'labels: {}\n');
    await look(5);

    assert.deepEqual([before, changes()], [0, 1]);
  });

  it('waits until a file is no longer being written', async () => {
    const { file, look, changes } = setUp();

    for (let n = 0; n < 5; n++) {
      appendFileSync(file, '#\n');
      await look(1);
    }
    const whileWriting = changes();
    await look(2);

    assert.deepEqual([whileWriting, changes()], [0, 1]);
  });

  for (const [how, change] of [
    [
      'renaming another over it',
      (file: string) => replace(file, () => writeFileSync(`${file}.new`, 'a: 1\n')),
    ],
    [
      'swapping a link',
      (file: string) => replace(file, () => symlinkSync(join(file, '../real'), `${file}.new`)),
    ],
    ['deleting it', (file: string) => rmSync(file)],
  ] as const) {
    it(`notices that a file was changed by ${how}`, async () => {
      const { dir, file, look, changes } = setUp();
      writeFileSync(join(dir, 'real'), 'linked: true\n');

      change(file);
      await look(3);

      assert.equal(changes(), 1);
    });
  }

  it('notices files that come and go in conf.d, which may not be there yet', async () => {
    const { confDir, look, changes } = setUp();
    await look(3);

    mkdirSync(confDir);
    writeFileSync(join(confDir, '10-site.yaml'), 'a: 1\n');
    await look(3);
    const added = changes();
    rmSync(join(confDir, '10-site.yaml'));
    await look(3);

    assert.deepEqual([added, changes()], [1, 2]);
  });

  it('says nothing of a change that was taken back before it was quiet', async () => {
    const { file, look, changes } = setUp();
    renameSync(file, `${file}.aside`);
    await look(1);

    renameSync(`${file}.aside`, file);
    await look(3);

    assert.equal(changes(), 0);
  });

  it('looks no more once it was cancelled', async () => {
    const { file, look, changes, watching } = setUp();

    watching.cancel();
    appendFileSync(file, '#\n');
    await look(5);

    assert.equal(changes(), 0);
  });
});

function setUp() {
  const dir = tempDir();
  const file = join(dir, 'config.yaml');
  const confDir = join(dir, 'conf.d');
  writeFileSync(file, 'homes: auto\n');
  const clock = new FakeClock();
  let count = 0;
  const watching = watchConfig({
    files: [file, null],
    confDir,
    everyMs: EVERY_MS,
    clock,
    onChange: () => {
      count++;
    },
  });
  return {
    dir,
    file,
    confDir,
    watching,
    changes: () => count,
    look: (times: number) => clock.advance(times * EVERY_MS),
  };
}

function replace(file: string, make: () => void): void {
  make();
  renameSync(`${file}.new`, file);
}
