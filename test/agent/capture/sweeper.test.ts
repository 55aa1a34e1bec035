import assert from 'node:assert/strict';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLayout } from '../../../agent/capture/layout.ts';
import { Sweeper } from '../../../agent/capture/sweeper.ts';
import type { Track } from '../../../agent/capture/track.ts';
import { Tracks } from '../../../agent/capture/tracks.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/temp.ts';
import { toySource } from '../../support/toy-source.ts';

const DAY = 86_400_000;

describe('agent/capture/sweeper', () => {
  it('finds new and changed files, and none that it knows unchanged', async () => {
    const { write, sweep, changed } = setUp();
    write('a.log', 'one\n');
    await sweep(true);
    const first = changed();
    await sweep(true);
    const second = changed();

    write('a.log', 'one\ntwo\n');
    write('b.log', 'new\n');
    await sweep(true);

    assert.deepEqual([first, second, changed()], [['a.log'], [], ['a.log', 'b.log']]);
  });

  it('says once what is missing, but not while the whole store is away', async () => {
    const { dir, write, sweep, missing } = setUp();
    write('a.log', 'one\n');
    write('b.log', 'two\n');
    await sweep(true);

    rmSync(join(dir, 'a.log'));
    await sweep(true);
    const one = missing();
    rmSync(dir, { recursive: true });
    await sweep(true);

    assert.deepEqual([one, missing()], [['a.log'], []]);
  });

  it('looks in a quick sweep at files that changed of late or are followed, and leaves ten thousand others alone', async () => {
    const { write, sweep, changed, age, follow } = setUp();
    for (const name of ['recent.log', 'old.log', 'followed.log']) write(name, 'one\n');
    age('old.log');
    age('followed.log');
    await sweep(true);
    changed();
    follow('followed.log');

    for (const name of ['recent.log', 'old.log', 'followed.log']) write(name, 'one\ntwo\n');
    age('old.log');
    age('followed.log');
    await sweep(false);
    const quick = changed();
    await sweep(true);

    assert.deepEqual(quick, ['followed.log', 'recent.log']);
    assert.deepEqual(changed(), ['old.log']);
  });

  it('runs sweeps that are asked for while one runs after it, as one, and as the larger of them', async () => {
    const { write, sweeper, swept } = setUp();
    for (let n = 0; n < 20; n++) write(`${n}.log`, 'x\n');

    sweeper.request(false, 'schedule');
    sweeper.request(true, 'resume');
    sweeper.request(false, 'schedule');
    for (let n = 0; n < 20; n++) await settle();

    assert.deepEqual(swept, [
      ['schedule', false],
      ['schedule', true],
    ]);
  });

  it('notices files of an earlier run that are gone, once their store is there', async () => {
    const { dir, write, sweep, missing, tracks } = setUp();
    rmSync(dir, { recursive: true });
    tracks.load([['.toy/gone.log', { offset: 1 } as never]]);
    await sweep(true);
    const away = missing();

    mkdirSync(dir);
    write('other.log', 'x\n');
    await sweep(true);

    assert.deepEqual([away, missing()], [[], ['gone.log']]);
  });

  it('ends when it is stopped', async () => {
    const { write, sweeper, swept, changed } = setUp();
    write('a.log', 'one\n');

    sweeper.stop();
    sweeper.request(true, 'start');
    await settle();

    assert.deepEqual([swept, changed()], [[], []]);
  });
});

function setUp() {
  const home = tempDir();
  const dir = join(home, '.toy');
  mkdirSync(dir);
  const clock = new FakeClock(Date.now());
  const layout = createLayout({ home, sources: [{ source: toySource, extraRoots: [] }] });
  const tracks = new Tracks();
  let [changed, missing]: [string[], string[]] = [[], []];
  const swept: [string, boolean][] = [];
  const sweeper = new Sweeper({
    home,
    ownerUid: null,
    layout,
    tracks,
    clock,
    listener: {
      onChanged(track, facts) {
        changed.push(track.ref.relative);
        track.seen = facts;
      },
      onUnchanged: () => {},
      onMissing: (track) => {
        missing.push(track.ref.relative);
        tracks.delete(track);
      },
      onLinkedDirectory: () => {},
      onFullSweep: () => {},
      onReplacedRoot: () => {},
      onSwept: (reason, full) => swept.push([reason, full]),
    },
  });
  const trackOf = (name: string): Track => tracks.get(`.toy/${name}`) ?? assert.fail(name);
  return {
    dir,
    tracks,
    sweeper,
    swept,
    write: (name: string, text: string) => writeFileSync(join(dir, name), text),
    age: (name: string) =>
      utimesSync(join(dir, name), (clock.now() - DAY) / 1_000, (clock.now() - DAY) / 1_000),
    follow(name: string) {
      trackOf(name).live = {} as NonNullable<Track['live']>;
    },
    async sweep(full: boolean) {
      const before = swept.length;
      sweeper.request(full, 'schedule');
      while (swept.length === before) await settle();
    },
    changed: () =>
      take(
        () => changed,
        () => (changed = []),
      ),
    missing: () =>
      take(
        () => missing,
        () => (missing = []),
      ),
  };
}

function take(get: () => string[], clear: () => unknown): string[] {
  const taken = get().toSorted();
  clear();
  return taken;
}
