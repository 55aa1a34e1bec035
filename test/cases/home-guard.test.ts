import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../support/temp.ts';
import { createHomeGuard } from './home-guard.ts';

describe('test/cases/home-guard', () => {
  const harm: Readonly<Record<string, [act: (home: string) => void, said: RegExp]>> = {
    'a new file': [(home) => writeFileSync(join(home, 'store/x-shm'), ''), /store\/x-shm was made/],
    'a deleted file': [(home) => rmSync(join(home, 'store/a')), /store\/a went away/],
    'other bytes under the old time': [
      (home) => {
        const { atime, mtime } = statSync(join(home, 'store/a'));
        writeFileSync(join(home, 'store/a'), 'A');
        utimesSync(join(home, 'store/a'), atime, mtime);
      },
      /store\/a changed: .*content/,
    ],
    'another time': [(home) => utimesSync(join(home, 'store/a'), 1, 1), /store\/a changed: .*time/],
    'another mode': [(home) => chmodSync(join(home, 'store/a'), 0o600), /store\/a changed: .*mode/],
    'an equal file in its place': [
      (home) => {
        writeFileSync(join(home, 'store/b'), 'a');
        renameSync(join(home, 'store/b'), join(home, 'store/a'));
      },
      /store\/a changed: .*inode/,
    ],
  };

  for (const [what, [act, said]] of Object.entries(harm)) {
    it(`reports ${what}`, () => {
      const home = makeHome();
      const guard = createHomeGuard(home);

      act(home);
      guard.check();

      assert.match(guard.problems().join('\n'), said);
    });
  }

  it('takes what a step wrote, and nothing else at the same time', () => {
    const home = makeHome();
    const guard = createHomeGuard(home);

    appendFileSync(join(home, 'store/a'), 'more');
    guard.accept(['store/a']);
    const before = guard.problems();
    appendFileSync(join(home, 'store/a'), 'more');
    writeFileSync(join(home, 'other'), '');
    guard.accept(['store/a']);

    assert.deepEqual(before, []);
    assert.match(guard.problems().join('\n'), /other was made/);
  });

  it('knows a step by the place behind a link', () => {
    const home = makeHome();
    symlinkSync(join(home, 'store'), join(home, 'link'));
    const guard = createHomeGuard(home);

    appendFileSync(join(home, 'link/a'), 'more');
    guard.accept(['link/a']);

    assert.deepEqual(guard.problems(), []);
  });

  it('leaves a database alone only while its writer runs', () => {
    const home = makeHome();
    const guard = createHomeGuard(home);

    guard.busy(['store/a']);
    writeFileSync(join(home, 'store/a-journal'), '');
    guard.check();
    rmSync(join(home, 'store/a-journal'));
    guard.release(['store/a']);
    const before = guard.problems();
    writeFileSync(join(home, 'store/a-journal'), '');
    guard.check();

    assert.deepEqual(before, []);
    assert.match(guard.problems().join('\n'), /store\/a-journal was made/);
  });
});

function makeHome(): string {
  const home = tempDir();
  mkdirSync(join(home, 'store'));
  writeFileSync(join(home, 'store/a'), 'a');
  return home;
}
