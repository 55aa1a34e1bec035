import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProcessTable, type ProcessQuery } from '../../../agent/platform/processes.ts';
import { onCleanUp, tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';

const UID = process.getuid?.() ?? 0;

describe('agent/platform/processes', () => {
  it('tells number, parent, start, arguments and directory of the processes that are asked for', () => {
    const proc = procDir();
    addProcess(proc, { pid: 300, parent: 20, ticks: 150, argv: ['node', '/opt/gemini', ''] });
    addProcess(proc, { pid: 20, parent: 1, ticks: 100, argv: ['bash'] });

    const found = table(proc).find(query(([name]) => name === 'node'));

    const expected = { pid: 300, parent: 20, startedMs: 1_001_500, argv: ['node', '/opt/gemini', ''] };
    assert.deepEqual(found, [{ ...expected, cwd: '/srv/shop' }]);
  });

  it('reads past a process name that looks like the end of its own field', () => {
    const proc = procDir();
    addProcess(proc, { pid: 7, parent: 3, ticks: 1, argv: ['node'], name: 'a) R 99 (b' });

    assert.equal(table(proc).find(query(() => true))[0]?.parent, 3);
  });

  it('reads nothing of the processes of other users', () => {
    const proc = procDir();
    addProcess(proc, { pid: 7, parent: 3, ticks: 1, argv: ['node'] });
    const asked: unknown[] = [];

    const found = table(proc).find(query((argv) => asked.push(argv) > 0, { uid: UID + 1 }));

    assert.deepEqual([found, asked], [[], []]);
  });

  it('leaves out what ended or is closed to us, and what is no process', () => {
    const proc = procDir();
    mkdirSync(join(proc, '8'));
    mkdirSync(join(proc, 'self'));
    addProcess(proc, { pid: 9, parent: 1, ticks: 1, argv: ['node'] });
    rmSync(join(proc, '9', 'cwd'));

    assert.deepEqual(table(proc).find(query(() => true)), []);
  });

  it('knows whether a process still runs, and that another one may get its number', () => {
    const proc = procDir();
    addProcess(proc, { pid: 7, parent: 3, ticks: 1, argv: ['node'] });
    const processes = table(proc);
    const [found] = processes.find(query(() => true));
    assert.ok(found);
    const first = processes.isRunning(found);

    rmSync(join(proc, '7'), { recursive: true });
    const gone = processes.isRunning(found);
    addProcess(proc, { pid: 7, parent: 3, ticks: 500, argv: ['node'] });

    assert.deepEqual([first, gone, processes.isRunning(found)], [true, false, false]);
  });

  it('knows whether a process has a number since a time, with a second or two to spare', () => {
    const proc = procDir();
    addProcess(proc, { pid: 7, parent: 3, ticks: 500, argv: ['node'] });
    const processes = table(proc);
    const [found] = processes.find(query(() => true));
    const started = found?.startedMs ?? 0;

    assert.deepEqual(
      [started + 60_000, started, started - 1_000, started - 60_000].map((ms) => processes.runsSince(7, ms)),
      [true, true, true, false],
    );
    assert.equal(processes.runsSince(8, started), false);
    const elsewhere = createProcessTable({ platform: 'darwin', proc });
    assert.equal(elsewhere.runsSince(process.pid, 0), true);
    assert.equal(elsewhere.runsSince(2 ** 22 + 1, 0), false);
  });

  it('knows no processes on other platforms, nor without a process directory', () => {
    const proc = procDir();
    addProcess(proc, { pid: 7, parent: 3, ticks: 1, argv: ['node'] });

    assert.deepEqual(createProcessTable({ platform: 'darwin', proc }).find(query(() => true)), []);
    assert.deepEqual(
      createProcessTable({ platform: 'linux', proc: join(proc, 'none') }).find(query(() => true)),
      [],
    );
  });

  it('looks once more at what is young, then no longer, until it ends', () => {
    const proc = procDir();
    addProcess(proc, { pid: 7, parent: 3, ticks: 1, argv: ['bash'] });
    const rejected = new Map<number, number>();
    const asked: (string | undefined)[] = [];
    const accepts = ([name]: readonly string[]) => asked.push(name) < 0;
    const processes = table(proc);

    for (const now of [0, 2_000, 2_001, 9_000]) processes.find(query(accepts, { rejected, now }));
    const before = [...asked];
    rmSync(join(proc, '7'), { recursive: true });
    processes.find(query(accepts, { rejected, now: 9_500 }));
    addProcess(proc, { pid: 7, parent: 3, ticks: 900, argv: ['zsh'] });
    processes.find(query(accepts, { rejected, now: 9_900 }));

    assert.deepEqual([before, asked.slice(2)], [['bash', 'bash'], ['zsh']]);
  });

  it('goes on to find what became the program after a first look', () => {
    const proc = procDir();
    addProcess(proc, { pid: 7, parent: 3, ticks: 1, argv: ['bash'] });
    const rejected = new Map<number, number>();
    const isNode = ([name]: readonly string[]) => name === 'node';
    const processes = table(proc);
    processes.find(query(isNode, { rejected, now: 0 }));
    writeFileSync(join(proc, '7', 'cmdline'), 'node\0');

    const found = [500, 9_000].map((now) => processes.find(query(isNode, { rejected, now })).length);

    assert.deepEqual(found, [1, 1]);
  });

  it('finds a real process where the system tells of processes this way, and nothing elsewhere', async () => {
    const cwd = realpathSync(tempDir());
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', 'marked'], { cwd });
    onCleanUp(() => void child.kill());
    const processes = createProcessTable();
    const isMarked = (argv: readonly string[]) => argv.at(-1) === 'marked';
    if (process.platform !== 'linux') {
      assert.deepEqual(processes.find(query(isMarked)), []);
      return;
    }

    await until('the child runs', () => processes.find(query(isMarked)).length === 1);

    const [found] = processes.find(query(isMarked));
    assert.deepEqual([found?.pid, found?.parent, found?.cwd], [child.pid, process.pid, cwd]);
    assert.ok(Math.abs(Date.now() - (found?.startedMs ?? 0)) < 60_000, `started ${found?.startedMs}`);
  });
});

function query(accepts: ProcessQuery['accepts'], change: Partial<ProcessQuery> = {}): ProcessQuery {
  return { uid: UID, accepts, rejected: new Map(), now: 0, ...change };
}

function table(proc: string) {
  return createProcessTable({ platform: 'linux', proc });
}

/** A process directory of a machine that was started 1,000 seconds after the epoch. */
function procDir(): string {
  const proc = tempDir('proc');
  writeFileSync(join(proc, 'stat'), 'cpu 1 2 3\nbtime 1000\nprocesses 4\n');
  return proc;
}

function addProcess(
  proc: string,
  facts: { pid: number; parent: number; ticks: number; argv: readonly string[]; name?: string },
): void {
  const dir = join(proc, String(facts.pid));
  mkdirSync(dir);
  writeFileSync(join(dir, 'cmdline'), facts.argv.map((argument) => `${argument}\0`).join(''));
  const between = Array.from({ length: 17 }, () => '0').join(' ');
  writeFileSync(
    join(dir, 'stat'),
    `${facts.pid} (${facts.name ?? 'node'}) S ${facts.parent} ${between} ${facts.ticks} 0 0\n`,
  );
  symlinkSync('/srv/shop', join(dir, 'cwd'));
}
