import assert from 'node:assert/strict';
import { chownSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createWriters, type WriterQuery } from '../../../../agent/capture/live/writers.ts';
import type { ProcessFacts } from '../../../../agent/platform/processes.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { tempDir } from '../../../support/temp.ts';

const PROGRAM = { package: '@toys/toy', command: 'toy', entries: ['bundle/toy.js'] };
const UID = process.getuid?.() ?? 0;

describe('agent/capture/live/writers', () => {
  it('finds the process that runs the program in the directory of the project, and its version', () => {
    const { ask, processes, start } = setUp();
    start({ pid: 40, cwd: tempDir() });
    processes.push({ pid: 41, parent: 1, startedMs: 0, argv: ['vim', 'toy'], cwd: processes[0]?.cwd ?? '' });
    const { pid, startedMs } = start({ pid: 42 });

    const { pid: found, startedMs: since, version } = ask() ?? {};

    assert.deepEqual([found, since, version], [pid, startedMs, '1.2.3']);
  });

  it('knows the program by its command too, through the link that npm makes', () => {
    const { ask, script, start } = setUp();
    const command = join(tempDir(), 'toy');
    symlinkSync(script, command);
    start({ pid: 42, argv: ['/usr/bin/node', '--no-warnings', command, '-p', 'hello'] });

    assert.equal(ask()?.pid, 42);
  });

  it('takes no program of another package that has the same name, and no helper script of the package', () => {
    const { ask, start } = setUp();
    start({ pid: 42, argv: ['node', packageOf({ name: 'other' })] });
    start({ pid: 43, argv: ['node', packageOf({ name: PROGRAM.package, script: 'bundle/worker.js' })] });
    start({ pid: 44, argv: ['node', join(tempDir(), 'toy')] });

    assert.equal(ask(), undefined);
  });

  it('takes the child where the program started itself again', () => {
    const { ask, start } = setUp();
    start({ pid: 42 });
    start({ pid: 43, parent: 42 });

    assert.equal(ask()?.pid, 43);
  });

  it('gives no answer when two run in the same directory', () => {
    const { ask, start } = setUp();
    start({ pid: 42 });
    start({ pid: 43 });

    assert.equal(ask(), undefined);
  });

  it('takes no process that began after the record was written', () => {
    const { ask, clock, start } = setUp();
    start({ pid: 42 });

    assert.equal(ask({ ms: clock.now() - 3_600_000 }), undefined);
  });

  it('does not tell a version that was installed while the process ran', () => {
    const { ask, start } = setUp();
    start({ pid: 42, startedMs: Date.now() - 60_000 });

    assert.deepEqual([ask()?.pid, ask()?.version], [42, undefined]);
  });

  it('believes no manifest of a third user, and none that is no JSON', () => {
    const { ask, processes, script, start } = setUp();
    start({ pid: 42 });
    const manifest = join(dirname(dirname(script)), 'package.json');
    const first = ask()?.pid;

    writeFileSync(manifest, '{');
    const broken = setUp(processes).ask();
    writeFileSync(manifest, JSON.stringify({ name: PROGRAM.package, version: '1.2.3' }));
    if (UID === 0) chownSync(manifest, 65_534, 65_534);
    const foreign = setUp(processes).ask()?.pid;

    assert.deepEqual([first, broken, foreign], [42, undefined, UID === 0 ? undefined : 42]);
  });

  it('looks at all processes once in a while for a session that it knows, and soon for a new one', async () => {
    const { ask, clock, looks, start } = setUp();
    start({ pid: 42 });
    for (let row = 0; row < 50; row++) ask();
    await clock.advance(1_000);
    ask();
    const known = looks();

    ask({ session: 'another' });
    const another = looks();
    await clock.advance(1_000);
    ask();
    const both = looks();
    await clock.advance(5_000);
    ask();

    assert.deepEqual([known, another, both, looks()], [1, 2, 2, 3]);
  });

  it('keeps in mind which processes are others, for a minute', async () => {
    const { ask, clock, memories, start } = setUp();
    start({ pid: 42 });
    ask();
    await clock.advance(50_000);
    ask();
    const first = memories();

    await clock.advance(11_000);
    ask();

    assert.deepEqual([first, memories(), ask()?.version], [1, 2, '1.2.3']);
  });

  it('looks again at once when the process it knew is gone', async () => {
    const { ask, clock, processes, start } = setUp();
    start({ pid: 42 });
    const first = ask()?.pid;

    processes.length = 0;
    start({ pid: 43 });
    await clock.advance(100);

    assert.deepEqual([first, ask()?.pid], [42, 43]);
  });
});

function setUp(processes: ProcessFacts[] = []) {
  const clock = new FakeClock(Date.now() + 10_000);
  const project = processes[0]?.cwd ?? realpathSync(tempDir('project'));
  const script = packageOf({ name: PROGRAM.package });
  const looks: ReadonlyMap<number, number>[] = [];
  const writers = createWriters({
    table: {
      find({ uid, accepts, rejected }) {
        assert.equal(uid, UID);
        looks.push(rejected);
        return processes.filter(({ argv }) => accepts(argv));
      },
      runsSince: () => false,
      isRunning: (process) => processes.includes(process),
    },
    clock,
    ownerUid: UID,
  });
  const basis: WriterQuery = { program: PROGRAM, project, session: 's', ms: clock.now() };
  return {
    clock,
    processes,
    script,
    looks: () => looks.length,
    memories: () => new Set(looks).size,
    ask: (change: Partial<WriterQuery> = {}) => writers.writerOf({ ...basis, ms: clock.now(), ...change }),
    start(change: Partial<ProcessFacts> & { pid: number }): ProcessFacts {
      const argv = ['/usr/bin/node', script];
      const started = { parent: 1, startedMs: Date.now() + 5_000, argv, cwd: project, ...change };
      processes.push(started);
      return started;
    },
  };
}

/** An installed npm package; returns the path of its script. */
function packageOf({ name, script = 'bundle/toy.js' }: { name: string; script?: string }): string {
  const root = join(tempDir(), 'node_modules', '@toys', 'toy');
  mkdirSync(join(root, 'bundle'), { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name, version: '1.2.3' }));
  writeFileSync(join(root, script), '');
  return join(root, script);
}
