import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Discovery } from '../../../agent/capture/discovery.ts';
import { createLayout, type Root, type SourcePlaces } from '../../../agent/capture/layout.ts';
import { createReach } from '../../../agent/capture/reach.ts';
import type { DraftRow } from '../../../agent/contract/row.ts';
import type { FileSpec, Source } from '../../../agent/contract/source.ts';
import { systemClock } from '../../../agent/platform/clock.ts';
import type { MemoryPort } from '../../support/memory-port.ts';
import { tempDir } from '../../support/temp.ts';
import { toySource } from '../../support/toy-source.ts';
import { until } from '../../support/until.ts';
import { quiet, startCapture, storeOf } from './support.ts';

/** The toy source with settings in projects and for the machine; a line names the project that it is about. */
const source: Source = {
  ...toySource,
  projectDirectory: '.toy',
  projectsIn: (small) => (small.text('registry') ?? '').split('\n').filter((line) => line !== ''),
  storesIn: (small) => (small.text('elsewhere') ?? '').split('\n').filter((line) => line !== ''),
  files: toySource.files.flatMap((spec): readonly FileSpec[] => {
    if (spec.kind === 'standing')
      return [spec, { ...spec, name: 'other-grants', places: ['project', 'system'] as const }];
    if (spec.kind !== 'log') return [spec];
    return [{ ...spec, open: (context) => withProject(spec.open(context)) }];
  }),
};

function withProject(parser: ReturnType<Extract<Source['files'][number], { kind: 'log' }>['open']>) {
  const named = (emit: (row: DraftRow) => void) => (row: DraftRow) =>
    emit({ ...row, project_path: row.text.startsWith('/') ? row.text : null });
  return {
    ...parser,
    line: (bytes: Buffer, line: number, emit: (row: DraftRow) => void) =>
      parser.line(bytes, line, named(emit)),
  };
}

function settings(port: MemoryPort): string[] {
  return port.rows
    .filter(({ event }) => event === 'permission.setting')
    .map(
      ({ attributes, source_file }) =>
        `${attributes['change']} ${attributes['key']}=${attributes['value']} ${source_file}`,
    );
}

function projectIn(dir: string, grants?: string): string {
  mkdirSync(join(dir, '.toy'), { recursive: true });
  if (grants !== undefined) writeFileSync(join(dir, '.toy', 'a.grants'), grants);
  return dir;
}

describe('agent/capture/discovery', () => {
  it('reads the settings of a project as soon as a session names it, and tells every edit', async () => {
    const home = tempDir();
    const project = projectIn(join(home, 'shop'), 'x=1\n');
    const { port } = await startCapture(home, { source });

    writeFileSync(join(storeOf(home), 's.log'), `${project}\n`);
    await until('the setting', () => settings(port).length === 1);
    await quiet();
    writeFileSync(join(project, '.toy', 'a.grants'), 'x=2\ny=1\n');
    await until('the edit', () => settings(port).length === 3);
    writeFileSync(join(project, '.toy', 'a.grants'), 'y=1\nx=2\n');
    await quiet();
    writeFileSync(join(project, '.toy', 'a.grants'), 'y=1\n');
    await until('the removal', () => settings(port).length === 4);

    assert.deepEqual(settings(port), [
      'added x=1 shop/.toy/a.grants',
      'changed x=2 shop/.toy/a.grants',
      'added y=1 shop/.toy/a.grants',
      'removed x=2 shop/.toy/a.grants',
    ]);
  });

  it('notices without a sweep that a known project gets settings', async () => {
    const home = tempDir();
    const project = join(home, 'shop');
    mkdirSync(project);
    writeFileSync(join(storeOf(home), 'registry'), `${project}\n`);
    const { port } = await startCapture(home, { source });
    await quiet();

    projectIn(project, 'x=1\n');

    await until('the setting', () => settings(port).length === 1);
  });

  it('remembers over a restart which projects its sessions named', async () => {
    const home = tempDir();
    const project = projectIn(join(home, 'shop'));
    writeFileSync(join(storeOf(home), 's.log'), `${project}\n`);
    const first = await startCapture(home, { source });
    await quiet();
    await first.capture.stop();
    writeFileSync(join(project, '.toy', 'a.grants'), 'x=1\n');

    const second = await startCapture(home, { source, port: first.port });

    await until('the setting', () => settings(second.port).length === 1);
  });

  it('takes nothing back when a project or its disk goes away, and tells what changed when it is back', async () => {
    const home = tempDir();
    const project = projectIn(join(home, 'shop'), 'x=1\ny=1\n');
    writeFileSync(join(storeOf(home), 'registry'), `${project}\n`);
    const { capture, port } = await startCapture(home, { source });
    await until('the settings', () => settings(port).length === 2);

    renameSync(project, join(home, 'unmounted'));
    await quiet(900);
    capture.sweep(true, 'request');
    await quiet(900);
    const whileAway = settings(port).length;
    writeFileSync(join(home, 'unmounted', '.toy', 'a.grants'), 'x=1\n');
    renameSync(join(home, 'unmounted'), project);
    capture.sweep(true, 'request');
    await until('the removal', () => settings(port).length === 3);

    assert.equal(whileAway, 2);
    assert.equal(settings(port).at(-1), 'removed y=1 shop/.toy/a.grants');
  });

  it('tells that everything was taken back when the file is deleted from a directory that is there', async () => {
    const home = tempDir();
    const project = projectIn(join(home, 'shop'), 'x=1\n');
    writeFileSync(join(storeOf(home), 'registry'), `${project}\n`);
    const { port } = await startCapture(home, { source });
    await until('the setting', () => settings(port).length === 1);

    rmSync(join(project, '.toy', 'a.grants'));

    await until('the removal', () => settings(port).at(-1) === 'removed x=1 shop/.toy/a.grants');
  });

  it('reads the settings of a project outside the home', async () => {
    const home = tempDir();
    const project = projectIn(join(tempDir(), 'shop'), 'x=1\n');
    writeFileSync(join(storeOf(home), 'registry'), `${project}\n`);

    const { port } = await startCapture(home, { source });

    await until('the setting', () => settings(port).length === 1);
  });

  it('follows no link out of a project', async () => {
    const home = tempDir();
    const outside = projectIn(tempDir(), 'x=1\n');
    const project = join(home, 'shop');
    mkdirSync(project);
    symlinkSync(join(outside, '.toy'), join(project, '.toy'));
    writeFileSync(join(storeOf(home), 'registry'), `${project}\n`);

    const { capture, port } = await startCapture(home, { source });
    await quiet();

    assert.deepEqual(settings(port), []);
    assert.match(capture.state().unreadable.join('\n'), /shop\/\.toy: link/);
  });

  it('reads settings of the machine as rows of nobody, the same for every home', async () => {
    const system = tempDir();
    writeFileSync(join(system, 'm.grants'), 'x=1\n');
    const ids: (string | undefined)[] = [];
    for (const home of [tempDir(), tempDir()]) {
      storeOf(home);
      const { port } = await startCapture(home, { source, systemRoots: [system] });
      await until('the setting', () => settings(port).length === 1);
      assert.equal(port.rows[0]?.os_user, null);
      ids.push(port.rows[0]?.row_id);
    }

    assert.equal(ids[0], ids[1]);
  });

  it('reads a single file that lies elsewhere, and nothing else beside it', async () => {
    const home = tempDir();
    storeOf(home);
    mkdirSync(join(home, 'etc'));
    writeFileSync(join(home, 'etc', 'mine.txt'), 'x=1\n');
    writeFileSync(join(home, 'etc', 'other.grants'), 'y=1\n');
    const extraFiles = [{ spec: 'grants', path: 'etc/mine.txt' }];
    const { port } = await startCapture(home, { source, extraFiles });
    await until('the setting', () => settings(port).length === 1);

    writeFileSync(join(home, 'etc', 'mine.txt'), 'x=2\n');
    await until('the edit', () => settings(port).length === 2);
    await quiet();

    assert.deepEqual(settings(port), ['added x=1 etc/mine.txt', 'changed x=2 etc/mine.txt']);
  });

  it('reads a store that settings name', async () => {
    const home = tempDir();
    mkdirSync(join(home, 'moved'));
    writeFileSync(join(home, 'moved', 's.log'), 'said elsewhere\n');
    writeFileSync(join(storeOf(home), 'elsewhere'), 'moved\n');

    const { port } = await startCapture(home, { source });

    await until('the line', () => port.texts().includes('said elsewhere'));
  });

  it('observes no more projects than its bound, and says so', () => {
    const home = tempDir();
    const { discovery, roots } = setUp(home);
    const projects = Array.from({ length: 203 }, (_, at) => join(home, `p${at}`));
    for (const project of projects) mkdirSync(project);

    for (const project of projects) discovery.project(source, project);

    assert.equal(roots.length, 200);
    assert.deepEqual(discovery.problems(), [
      'Toy: settings of 3 projects beyond the first 200 are not observed',
    ]);
  });

  it('does not take the home itself for another project', () => {
    const home = tempDir();
    const { discovery, roots } = setUp(home);

    discovery.project(source, home);
    discovery.project(source, 'not absolute');
    discovery.project(source, '/');

    assert.deepEqual(roots, []);
  });

  it('finds the projects of a copied home in the copy alone, wherever they were', () => {
    const home = tempDir();
    for (const name of ['a', 'b', 'c', 'Billing', 'e'])
      mkdirSync(join(home, 'code', name), { recursive: true });
    const { discovery, roots } = setUp(home, true);

    for (const recorded of [
      '/home/alice/code/a',
      '/Users/alice/code/b',
      'C:\\Users\\alice\\code\\c',
      'c:\\users\\alice\\code\\billing',
      join(home, 'code/e'),
      '/home/alice/../../etc',
      `${home}/../elsewhere`,
      '/srv/shop',
    ])
      discovery.project(source, recorded);

    assert.deepEqual(
      roots.map(({ key, project }) => [key, project]),
      [
        ['code/a/.toy', '/home/alice/code/a'],
        ['code/b/.toy', '/Users/alice/code/b'],
        ['code/c/.toy', 'C:\\Users\\alice\\code\\c'],
        ['code/Billing/.toy', 'c:\\users\\alice\\code\\billing'],
        ['code/e/.toy', join(home, 'code/e')],
      ],
    );
  });
});

function setUp(home: string, isCopy = false) {
  const sources: readonly SourcePlaces[] = [{ source, extraRoots: [] }];
  const roots: Root[] = [];
  const discovery = new Discovery({
    home,
    sources,
    layout: createLayout({ home, sources }),
    isCopy,
    smallFiles: () => ({ text: () => undefined, list: () => [] }),
    reach: createReach({ clock: systemClock, home }),
    onRoot: (root) => void roots.push(root),
  });
  return { discovery, roots };
}
