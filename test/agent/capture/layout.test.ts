import assert from 'node:assert/strict';
import { createLayout } from '../../../agent/capture/layout.ts';
import type { Source } from '../../../agent/contract/source.ts';
import { toySource } from '../../support/toy-source.ts';

const HOME = '/home/alice';

describe('agent/capture/layout', () => {
  it('knows the source files below a root, and nothing else', () => {
    const layout = layoutOf();

    assert.equal(layout.file('/home/alice/.toy/a/b.log')?.key, '.toy/a/b.log');
    for (const path of [
      '/home/alice/.toy',
      '/home/alice/.toy/a.txt',
      '/home/alice/.toyx/a.log',
      '/home/alice/a.log',
      '/home/alicex/.toy/a.log',
    ])
      assert.equal(layout.file(path), undefined, path);
  });

  it('finds a file again by the name that rows and cursors have for it', () => {
    const layout = layoutOf('/srv/store', 'work/toy');

    for (const path of ['/home/alice/.toy/x/a.log', '/srv/store/a.log', '/home/alice/work/toy/a.log']) {
      const ref = layout.file(path);
      assert.ok(ref, path);
      assert.deepEqual(layout.byKey(ref.key), ref);
      assert.equal(ref.path, path);
    }
    assert.equal(layout.byKey('.toyx/a.log'), undefined);
    assert.equal(layout.byKey('/srv/other/a.log'), undefined);
  });

  it('names files relative to the home, and absolutely when they lie outside', () => {
    const layout = layoutOf('/srv/store/', 'work//toy', '../bob/.toy');

    assert.deepEqual(
      layout.roots.map(({ key }) => key),
      ['.toy', '/srv/store', 'work/toy', '/home/bob/.toy'],
    );
  });

  it('takes a directory given twice once', () => {
    assert.equal(layoutOf('.toy', '/home/alice/.toy/', '/srv/x', '/srv/./x').roots.length, 2);
  });

  it('names a file below a root inside another root by the innermost root', () => {
    const layout = layoutOf('.toy/nested');

    assert.equal(layout.file('/home/alice/.toy/nested/a.log')?.key, '.toy/nested/a.log');
    assert.equal(layout.byKey('.toy/nested/a.log')?.path, '/home/alice/.toy/nested/a.log');
  });

  it('gives each of two sources its own files of one directory', () => {
    const other: Source = {
      ...toySource,
      id: 'qwen-code',
      files: toySource.files
        .slice(0, 1)
        .map((spec) => ({ ...spec, matches: (path: string) => path.endsWith('.txt') })),
    };
    const layout = createLayout({
      home: HOME,
      sources: [
        { source: toySource, extraRoots: [] },
        { source: other, extraRoots: [] },
      ],
    });

    for (const [path, id] of [
      ['.toy/a.log', 'gemini-cli'],
      ['.toy/a.txt', 'qwen-code'],
    ] as const) {
      const ref = layout.file(`${HOME}/${path}`);
      assert.equal(ref?.root.source.id, id);
      assert.deepEqual(layout.byKey(path), ref);
    }
    assert.equal([...layout.places(`${HOME}/.toy/a`)].length, 2);
  });

  it('names files behind a link by the link, whichever path told of them', () => {
    const layout = layoutOf();

    layout.alias('/home/alice/disk', '/home/alice/.toy/linked');

    assert.equal(layout.file('/home/alice/disk/a.log')?.key, '.toy/linked/a.log');
    assert.equal(layout.file('/home/alice/.toy/linked/a.log')?.key, '.toy/linked/a.log');
    assert.equal(layout.file('/home/alice/diskette/a.log'), undefined);
    assert.deepEqual(layout.place('/home/alice/disk')?.relative, 'linked');
  });
});

function layoutOf(...extraRoots: string[]) {
  return createLayout({ home: HOME, sources: [{ source: toySource, extraRoots }] });
}
