import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createLayout } from '../../../agent/capture/layout.ts';
import { Walker } from '../../../agent/capture/walker.ts';
import { becomeOrdinary, ordinaryDir } from '../../support/ordinary-user.ts';
import { tempDir } from '../../support/temp.ts';
import { toySource } from '../../support/toy-source.ts';

describe('agent/capture/walker', () => {
  it('finds the source files of every root, and enters nothing that is skipped', () => {
    const { home, walk } = setUp({ extraRoots: ['more/toy'] });
    for (const file of [
      '.toy/a.log',
      '.toy/x/y/b.log',
      '.toy/x/c.txt',
      '.toy/skipped/d.log',
      'more/toy/e.log',
    ])
      write(home, file);

    assert.deepEqual(walk('full'), ['.toy/a.log', '.toy/x/y/b.log', 'more/toy/e.log']);
  });

  it('goes no deeper than a store is', () => {
    const { home, walk } = setUp();
    const deep = Array.from({ length: 12 }, (_, n) => `d${n}`).join('/');
    write(home, `.toy/${deep}/a.log`);
    write(home, `.toy/${deep}/below/b.log`);

    assert.deepEqual(walk('full'), [`.toy/${deep}/a.log`]);
  });

  it('follows no link that leads back up', () => {
    const { home, walk, layout } = setUp();
    write(home, '.toy/sub/a.log');
    for (const [name, target] of [
      ['.toy/loop', '.toy'],
      ['.toy/sub/loop', '.toy'],
      ['.toy/sub/self', '.toy/sub'],
      ['.toy/home', '.'],
    ] as const)
      symlinkSync(join(home, target), join(home, name));

    assert.deepEqual(walk('full'), ['.toy/sub/a.log']);
    assert.equal(layout.file(join(home, '.toy/sub/a.log'))?.key, '.toy/sub/a.log');
  });

  it('does not multiply with links between linked directories', () => {
    const { home, walk } = setUp();
    write(home, 'disk/a.log');
    mkdirSync(join(home, '.toy'));
    for (const name of ['one', 'two', 'three']) {
      symlinkSync(join(home, 'disk'), join(home, '.toy', name));
      symlinkSync(join(home, '.toy'), join(home, 'disk', name));
    }

    assert.equal(walk('full').length, 1);
    assert.equal(walk('full').length, 1);
  });

  it('gives a file one name when a root holds both a link and its target', () => {
    const { home, walk, layout } = setUp();
    write(home, '.toy/z-real/a.log');
    symlinkSync(join(home, '.toy/z-real'), join(home, '.toy/a-link'));

    assert.deepEqual(walk('full'), ['.toy/z-real/a.log']);
    assert.equal(layout.file(join(home, '.toy/z-real/a.log'))?.key, '.toy/z-real/a.log');
  });

  it('follows a link into a directory that is otherwise skipped', () => {
    const { home, walk, links } = setUp();
    write(home, '.toy/skipped/a.log');
    symlinkSync(join(home, '.toy/skipped'), join(home, '.toy/taken'));

    assert.deepEqual(walk('full'), ['.toy/taken/a.log']);
    assert.deepEqual(links, [join(home, '.toy/skipped')]);
  });

  it('follows a store that is a link itself, also to another disk, again and again', () => {
    const { home, walk, links, walker } = setUp();
    const disk = tempDir();
    writeFileSync(join(disk, 'a.log'), '');
    symlinkSync(disk, join(home, '.toy'));

    const found = [walk('full'), walk('full'), walk('quick')];

    assert.deepEqual(found, [['.toy/a.log'], ['.toy/a.log'], []]);
    assert.equal(links[0], disk);
    assert.deepEqual([...walker.unreadable], []);
  });

  it('takes a copied home for what it is: no link in it leads out, not even the store itself', () => {
    const { home, walk, walker } = setUp({ ownerUid: null });
    const disk = tempDir();
    writeFileSync(join(disk, 'a.log'), '');
    symlinkSync(disk, join(home, '.toy'));

    assert.deepEqual(walk('full'), []);
    assert.match([...walker.unreadable.values()][0] ?? '', /outside the home/);
  });

  it("follows no store that is another user's, and no link inside a store that leads out", () => {
    const other = setUp({ ownerUid: (process.getuid?.() ?? 0) + 1 });
    write(other.home, 'disk/a.log');
    symlinkSync(join(other.home, 'disk'), join(other.home, '.toy'));
    const own = setUp();
    const outside = tempDir();
    writeFileSync(join(outside, 'a.log'), '');
    mkdirSync(join(own.home, '.toy'));
    symlinkSync(outside, join(own.home, '.toy/out'));

    assert.deepEqual([other.walk('full'), own.walk('full')], [[], []]);
    assert.equal(own.walk('below', 'out').length, 0, 'nor when an event names it');
    assert.deepEqual([other.walker.unreadable.size, own.walker.unreadable.size], [1, 1]);
  });

  it('survives links to themselves, dangling ones, and names that are too long', () => {
    const { home, walk } = setUp({ extraRoots: ['loop', `${'n'.repeat(300)}/toy`] });
    symlinkSync(join(home, 'loop'), join(home, 'loop'));
    write(home, '.toy/a.log');
    symlinkSync(join(home, 'none'), join(home, '.toy/dangling'));
    symlinkSync(join(home, '.toy/self'), join(home, '.toy/self'));

    assert.deepEqual(walk('full'), ['.toy/a.log']);
    assert.deepEqual(walk('quick'), []);
  });

  it('reports a directory that may not be listed or entered, and takes nothing in it for gone', () => {
    const home = ordinaryDir();
    becomeOrdinary();
    const { walk, walker, layout } = setUp({ home });
    for (const file of ['.toy/a.log', '.toy/closed/b.log', '.toy/flat/c.log']) write(home, file);
    walk('full');
    chmodSync(join(home, '.toy/closed'), 0o300);
    chmodSync(join(home, '.toy/flat'), 0o600);

    const found = walk('full');
    const unreadable = [...walker.unreadable.keys()].map((path) => path.slice(home.length + 1));
    const isThere = (key: string) => walker.lookAt(layout.byKey(key) ?? assert.fail(key));

    assert.deepEqual(found, ['.toy/a.log']);
    assert.deepEqual(unreadable.sort(), ['.toy/closed', '.toy/flat']);
    assert.deepEqual([isThere('.toy/closed/b.log'), isThere('.toy/flat/c.log')], [true, true]);
    assert.equal(isThere('.toy/none.log'), false);
    chmodSync(join(home, '.toy/closed'), 0o700);
    chmodSync(join(home, '.toy/flat'), 0o700);
    walk('full');
    assert.equal(walker.unreadable.size, 0);
  });

  it('says that a store may not be entered, instead of that there is none', () => {
    const home = ordinaryDir();
    becomeOrdinary();
    const { walk, walker, layout } = setUp({ home: join(home, 'alice') });
    write(join(home, 'alice'), '.toy/a.log');
    chmodSync(join(home, 'alice'), 0o600);

    walk('full');
    const [root] = layout.roots;
    const said = [root && walker.isPresent(root), [...walker.unreadable.values()]];
    chmodSync(join(home, 'alice'), 0o700);

    assert.deepEqual(said, [false, ['EACCES']]);
  });

  it('looks in a quick sweep only at directories whose entries changed', () => {
    const { home, walk } = setUp();
    write(home, '.toy/a.log');
    write(home, '.toy/sub/b.log');
    write(home, '.toy/sub/deep/c.log');
    walk('full');
    const unchanged = walk('quick');

    write(home, '.toy/sub/new.log');
    write(home, '.toy/fresh/one/d.log');
    touchLater(join(home, '.toy/sub'));
    touchLater(join(home, '.toy'));
    const changed = walk('quick');

    assert.deepEqual(unchanged, []);
    assert.deepEqual(changed, ['.toy/a.log', '.toy/fresh/one/d.log', '.toy/sub/b.log', '.toy/sub/new.log']);
    assert.deepEqual(walk('quick'), []);
  });

  it('finds in a quick sweep a store that appears, goes away and comes back', () => {
    const { home, walk, walker, layout } = setUp();
    const [root] = layout.roots;
    assert.ok(root);
    const before = [walk('quick'), walker.isPresent(root)];

    write(home, '.toy/a.log');
    const appeared = walk('quick');
    renameSync(join(home, '.toy'), join(home, 'aside'));
    const away = [walk('quick'), walker.isPresent(root)];
    renameSync(join(home, 'aside'), join(home, '.toy'));

    assert.deepEqual(before, [[], false]);
    assert.deepEqual(appeared, ['.toy/a.log']);
    assert.deepEqual(away, [[], false]);
    assert.deepEqual(walk('quick'), ['.toy/a.log']);
  });

  it('says that another directory stands in the place of a store, once', () => {
    const { home, walk, links } = setUp();
    write(home, '.toy/a.log');
    walk('full');
    renameSync(join(home, '.toy'), join(home, 'aside'));
    write(home, '.toy/b.log');

    const found = [walk('quick'), walk('quick'), walk('full')];

    assert.deepEqual(found, [['.toy/b.log'], [], ['.toy/b.log']]);
    assert.deepEqual(links, ['replaced']);
  });

  it('reports a source file whose name cannot be given back, and takes one that only looks like it', () => {
    const { home, walk, walker } = setUp();
    write(home, '.toy/fine-\ufffd.log');
    for (const name of ['odd-', 'dir-'])
      mkdirSync(Buffer.concat([Buffer.from(join(home, '.toy', name)), Buffer.from([0xff])]), {
        recursive: true,
      });
    writeFileSync(
      Buffer.concat([Buffer.from(join(home, '.toy/x')), Buffer.from([0xff]), Buffer.from('.log')]),
      '',
    );

    assert.deepEqual(walk('full'), ['.toy/fine-\ufffd.log']);
    assert.deepEqual([...new Set(walker.unreadable.values())], ['its name is not valid UTF-8']);
    assert.equal(walker.unreadable.size, 3);
  });

  it('looks below one directory when asked', () => {
    const { home, walk } = setUp();
    write(home, '.toy/a.log');
    write(home, '.toy/sub/deep/b.log');

    assert.deepEqual(walk('below', 'sub'), ['.toy/sub/deep/b.log']);
    assert.deepEqual(walk('below', 'none'), []);
  });

  it('forgets what was deleted', () => {
    const { home, walk, walker, layout } = setUp();
    write(home, '.toy/sub/a.log');
    walk('full');

    rmSync(join(home, '.toy/sub'), { recursive: true });

    assert.deepEqual(walk('full'), []);
    assert.equal(walker.lookAt(layout.byKey('.toy/sub/a.log') ?? assert.fail()), false);
  });
});

interface SetUp {
  readonly home?: string;
  readonly extraRoots?: readonly string[];
  readonly ownerUid?: number | null;
}

function setUp({ home = tempDir(), extraRoots = [], ownerUid = process.geteuid?.() ?? null }: SetUp = {}) {
  const layout = createLayout({ home, sources: [{ source: toySource, extraRoots }] });
  let found: string[] = [];
  const links: string[] = [];
  const walker = new Walker({
    home,
    layout,
    ownerUid,
    listener: {
      onFile: ({ key }) => found.push(key),
      onLinkedDirectory: (real) => links.push(real),
      onReplacedRoot: () => links.push('replaced'),
    },
  });
  const walk = (how: 'full' | 'quick' | 'below', relative = ''): string[] => {
    found = [];
    const [root] = layout.roots;
    const steps =
      how === 'below' && root ? walker.below(root, relative) : walker[how === 'full' ? how : 'quick']();
    for (const _ of steps);
    return found.sort();
  };
  return { home, layout, walker, walk, links };
}

function write(home: string, file: string): void {
  const path = join(home, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
}

/** Directory times may have the resolution of a timer tick: makes the change one that can be seen. */
function touchLater(dir: string): void {
  const later = new Date(statSync(dir).mtimeMs + 1_000);
  utimesSync(dir, later, later);
}
