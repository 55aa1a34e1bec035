import assert from 'node:assert/strict';
import type { CaptureInit, CaptureState, FromCapture } from '../../../agent/capture/protocol.ts';
import { createSupervisor, type SupervisorDeps } from '../../../agent/capture/supervisor.ts';
import type { Commit, Cursor } from '../../../agent/contract/commit.ts';
import { type LogFields, silentLogger } from '../../../agent/contract/logger.ts';
import { createMetrics } from '../../../agent/telemetry/metrics.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';
import { FakeProcess } from './fake-process.ts';

const MINUTE = 60_000;
const SIGABRT = 'signal SIGABRT';
const STATE: CaptureState = {
  watchMode: 'watching',
  roots: [],
  files: {},
  parsed: {},
  rows: {},
  unreadable: [],
  waiting: 0,
  minDaysToExpiry: null,
  pinned: 0,
  readBytes: 0,
  lastFullSweep: null,
};

describe('agent/capture/supervisor', () => {
  it('tells a new process what to do, its cursors in parts, and then to start', async () => {
    const cursors = Array.from(
      { length: 5_000 },
      (_, n) => [`f${n}`, { offset: n, head: 'x'.repeat(300) } as Cursor] as const,
    );
    const { newest } = await setUp({ cursors: () => cursors });

    const types = newest().heard.map(({ type }) => type);
    const parts = newest()
      .heardOf('cursors')
      .map((frame) => frame.cursors);

    assert.deepEqual([types[0], types.at(-1)], ['init', 'start']);
    assert.ok(parts.length >= 3 && types.length === parts.length + 2);
    assert.deepEqual(parts.flat(), cursors);
    assert.deepEqual(newest().heardOf('init')[0]?.init.quarantined, []);
  });

  it('sends cursors that hold a lot of settings in frames that the other end takes', async () => {
    const standing = { all: { value: 'x'.repeat(1024 * 1024) } };
    const cursors = Array.from(
      { length: 40 },
      (_, n) => [`f${n}`, { standing } as unknown as Cursor] as const,
    );

    const { newest } = await setUp({ cursors: () => cursors });
    for (let n = 0; n < 50 && newest().heard.at(-1)?.type !== 'start'; n++) await ticks();

    assert.equal(newest().heard.at(-1)?.type, 'start');
    assert.equal(
      newest()
        .heardOf('cursors')
        .flatMap((frame) => frame.cursors).length,
      40,
    );
  });

  it('answers a commit only once it is durable', async () => {
    const { newest, waiting, submitted } = await setUp();
    newest().commit(7, 'a', 10);
    await ticks();
    const early = newest().heardOf('ack');

    waiting.shift()?.();
    await ticks();

    assert.deepEqual(early, []);
    assert.deepEqual(
      submitted.map(({ file }) => file),
      ['a'],
    );
    assert.deepEqual(newest().heardOf('ack'), [{ type: 'ack', n: 7 }]);
  });

  it('knows at once when files begin to wait and when none does any more', async () => {
    const { newest, supervisor } = await setUp();
    const seen: number[] = [];
    for (const frame of [
      { type: 'waiting', files: 1 },
      { type: 'state', state: { ...STATE, waiting: 7 } },
      { type: 'waiting', files: 0 },
    ] as const) {
      newest().say(frame);
      await ticks();
      seen.push(supervisor.state().waiting);
    }

    assert.deepEqual(seen, [1, 7, 0]);
  });

  it('takes the answer to a commit whose process is gone for nothing', async () => {
    const { clock, newest, waiting, processes } = await setUp();
    newest().commit(7, 'a', 10);
    await ticks();
    newest().end('exit code 1');
    await ticks();
    await clock.advance(1_000);

    waiting.shift()?.();
    await ticks();

    assert.equal(processes.length, 2);
    assert.deepEqual(newest().heardOf('ack'), []);
  });

  it('starts a process that ends again, ever later, and soon again after a healthy while', async () => {
    const { clock, newest, processes } = await setUp();
    const delays: number[] = [];
    for (let round = 0; round < 9; round++) {
      const before = processes.length;
      newest().end('exit code 1');
      await ticks();
      let waited = 0;
      for (; processes.length === before; waited += 500) await clock.advance(500);
      delays.push(waited);
    }
    await clock.advance(2 * MINUTE);
    newest().end('exit code 1');
    await ticks();
    await clock.advance(500);

    assert.deepEqual(delays, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    assert.equal(processes.length, 11);
  });

  it('says in its state how the process fares', async () => {
    const { clock, newest, supervisor } = await setUp();
    newest().say({ type: 'state', state: { ...STATE, waiting: 3 } });
    await ticks();
    const running = supervisor.state();
    newest().end(SIGABRT);
    await ticks();
    const down = supervisor.state();
    await clock.advance(1_000);

    assert.deepEqual([running.running, running.restarts, running.capture?.waiting], [true, 0, 3]);
    assert.deepEqual([down.running, down.restarts, down.lastExit], [false, 1, SIGABRT]);
    assert.equal(supervisor.state().running, true);
  });

  it('ends a process that hangs in a file, but not one that waits for an answer or for work', async () => {
    const { clock, newest, waiting, processes } = await setUp();
    await clock.advance(2 * MINUTE);
    const idle = [...newest().signals];
    newest().say({ type: 'at', file: 'a' });
    newest().commit(1, 'a', 10);
    await ticks();
    await clock.advance(2 * MINUTE);
    const unanswered = [...newest().signals];

    waiting.shift()?.();
    newest().say({ type: 'at', file: 'b' });
    await ticks();
    await clock.advance(55_000);
    const early = [...newest().signals];
    await clock.advance(10_000);
    await ticks();

    assert.deepEqual([idle, unanswered, early], [[], [], []]);
    assert.equal(processes[0]?.isAlive, false);
    assert.equal(processes[0]?.signals[0], 'SIGKILL');
  });

  it('sets a file aside in which processes end by themselves, and reads it again ten minutes later', async () => {
    const { clock, newest, quarantined, dieIn } = await setUp();
    for (let round = 0; round < 3; round++) await dieIn('poison', SIGABRT);
    const told = newest().heardOf('init')[0]?.init.quarantined;

    await clock.advance(9 * MINUTE);
    const early = newest().heardOf('quarantine');
    await clock.advance(2 * MINUTE);

    assert.deepEqual(quarantined, [['poison', SIGABRT]]);
    assert.deepEqual(told, ['poison']);
    assert.deepEqual(early, []);
    assert.deepEqual(newest().heardOf('quarantine'), [{ type: 'quarantine', files: [] }]);
    assert.deepEqual(newest().heardOf('sweep'), [{ type: 'sweep', full: true, reason: 'request' }]);
  });

  it('sets a file aside in which processes hang', async () => {
    const { clock, newest, quarantined, processes } = await setUp();
    for (let round = 1; round <= 3; round++) {
      newest().say({ type: 'at', file: 'slow' });
      await ticks();
      while (processes.length === round) await clock.advance(5_000);
    }

    assert.deepEqual(quarantined, [['slow', 'signal SIGKILL']]);
  });

  it('does not blame a file for kills from outside, until there are very many', async () => {
    const { quarantined, dieIn } = await setUp();
    for (let round = 0; round < 9; round++) await dieIn('innocent', 'signal SIGKILL');
    const afterNine = [...quarantined];

    await dieIn('innocent', 'signal SIGKILL');

    assert.deepEqual(afterNine, []);
    assert.deepEqual(quarantined, [['innocent', 'signal SIGKILL']]);
  });

  it('does not blame a file that is read further each time', async () => {
    const { newest, quarantined, dieIn, waiting } = await setUp();
    for (let round = 1; round <= 12; round++) {
      newest().commit(round, 'growing', round * 100);
      await ticks();
      waiting.shift()?.();
      await dieIn('growing', round % 2 === 0 ? SIGABRT : 'signal SIGKILL');
    }

    assert.deepEqual(quarantined, []);
  });

  it('blames no file for the end of a process that read none', async () => {
    const { quarantined, dieIn } = await setUp();

    for (let round = 0; round < 5; round++) await dieIn(null, SIGABRT);

    assert.deepEqual(quarantined, []);
  });

  for (const [what, frame] of [
    ['of no known type', { type: 'shell', command: 'x' }],
    ['with a state that is none', { type: 'state', state: { ...STATE, unreadable: 7 } }],
    ['with numbers that are none', { type: 'state', state: { ...STATE, files: { 'gemini-cli': {} } } }],
    ['with a file that is no name', { type: 'at', file: { toString: 1 } }],
    ['with a metric that there is not', { type: 'count', name: '__proto__', amount: 1, labels: {} }],
    [
      'with a label that is no text',
      { type: 'count', name: 'holdfast_files', amount: 1, labels: { source: {} } },
    ],
    ['with a level that there is not', { type: 'log', level: 'child', message: 'x', fields: {} }],
    ['that is no object', null],
    ['with a commit that does not add up', { type: 'commit', n: 1, lane: 'live', file: 'a', count: 5 }],
  ] as const) {
    it(`ends a process that sends a frame ${what}, and starts another`, async () => {
      const { clock, newest, processes, submitted } = await setUp();

      newest().say(frame as unknown as FromCapture);
      await ticks();
      await clock.advance(1_000);

      assert.deepEqual(processes[0]?.signals, ['SIGKILL']);
      assert.equal(processes.length, 2);
      assert.deepEqual(submitted, []);
    });
  }

  it('ends a process that closes its channel and lives on', async () => {
    const { newest } = await setUp();
    newest().obedient = false;

    newest().raw.destroy();
    await ticks();

    assert.deepEqual(newest().signals, ['SIGKILL']);
  });

  it('keeps one process when one cannot be told what to do', async () => {
    let isBroken = true;
    const { clock, processes, newest } = await setUp({
      cursors: () => {
        if (isBroken) throw new Error('store is damaged');
        return [];
      },
    });
    const first = newest();
    await clock.advance(400);

    isBroken = false;
    await clock.advance(1_000);

    assert.deepEqual(first.signals, ['SIGKILL']);
    assert.deepEqual(processes.filter(({ isAlive }) => isAlive).length, 1);
    await clock.advance(MINUTE);
    assert.equal(processes.length, 2);
  });

  it('tries again when the system refuses a process', async () => {
    let refusals = 2;
    const { clock, processes, supervisor } = await setUp({
      onSpawn: () => {
        if (refusals-- > 0) throw new Error('EAGAIN');
      },
    });
    const early = supervisor.state();

    await clock.advance(5_000);

    assert.deepEqual([early.running, early.lastExit], [false, 'EAGAIN']);
    assert.equal(processes.length, 1);
  });

  it('says why a process died, without the text that it stumbled over', async () => {
    const said: unknown[] = [];
    const logger = { ...silentLogger, error: (_: string, fields: LogFields) => said.push(fields['stderr']) };
    const { clock, newest } = await setUp({ logger });
    const lastWords = [
      'file:///x.ts:7\n  throw error;\n\nSyntaxError: "my secret" is not valid JSON\n    at parse (x.ts:7)\n    at y\n',
      '<--- Last few GCs --->\n\nFATAL ERROR: Reached heap limit - out of memory\n----- Native stack trace\n 1: 0x1\n',
      'my secret\n',
    ];

    for (const words of lastWords) {
      newest().stderr.write(words);
      await ticks();
      newest().end('signal SIGABRT');
      await ticks();
      await clock.advance(5_000);
    }

    assert.deepEqual(said, [
      'SyntaxError at parse (x.ts:7)',
      'FATAL ERROR: Reached heap limit - out of memory',
      '',
    ]);
  });

  it('asks the process to end, and starts none after', async () => {
    const { clock, supervisor, newest, processes } = await setUp();

    const stopped = Promise.all([supervisor.stop(), supervisor.stop()]);
    await ticks();
    await stopped;
    await clock.advance(MINUTE);

    assert.deepEqual(newest().heardOf('stop'), [{ type: 'stop' }]);
    assert.deepEqual(newest().signals, []);
    assert.equal(processes.length, 1);
    await supervisor.stop();
  });

  it('ends a process that does not end when asked', async () => {
    const { clock, supervisor, newest } = await setUp();
    const process = newest();
    process.obedient = false;
    const stopped = supervisor.stop();
    await clock.advance(3_000);
    const early = [...process.signals];

    process.obedient = true;
    await clock.advance(2_000);
    await ticks();
    await stopped;

    assert.deepEqual(early, []);
    assert.deepEqual(process.signals, ['SIGKILL']);
  });

  it('stops at once while it waits to start another process', async () => {
    const { clock, supervisor, newest, processes } = await setUp();
    newest().end('exit code 1');
    await ticks();

    await supervisor.stop();
    await clock.advance(MINUTE);

    assert.equal(processes.length, 1);
  });

  it('tells of the end of the first scan, again when the store could not take it', async () => {
    let failures = 1;
    let told = 0;
    const { newest, processes } = await setUp({
      onFirstScan: () => {
        if (failures-- > 0) throw new Error('disk full');
        told++;
      },
    });

    newest().say({ type: 'swept', reason: 'start', first: true });
    await ticks();
    const early = told;
    for (let n = 0; n < 3; n++) newest().say({ type: 'swept', reason: 'schedule', first: false });
    await ticks();

    assert.equal(early, 0);
    assert.equal(told, 1);
    assert.deepEqual(processes[0]?.signals, []);
  });
});

interface SetUp extends Partial<Pick<SupervisorDeps, 'cursors' | 'onFirstScan' | 'logger'>> {
  readonly onSpawn?: () => void;
}

async function setUp({ onSpawn, ...deps }: SetUp = {}) {
  const clock = new FakeClock();
  const processes: FakeProcess[] = [];
  const submitted: Commit[] = [];
  const waiting: (() => void)[] = [];
  const quarantined: string[][] = [];
  const supervisor = createSupervisor({
    home: '/home/alice',
    spawn() {
      onSpawn?.();
      const process = new FakeProcess();
      processes.push(process);
      return process;
    },
    init: () => ({ home: '/home/alice' }) as CaptureInit,
    cursors: () => [],
    records: () => [],
    committer: {
      submit: (_home, commit, done) => {
        submitted.push(commit);
        waiting.push(done);
      },
    } as SupervisorDeps['committer'],
    clock,
    logger: silentLogger,
    metrics: createMetrics(),
    onQuarantined: (file, reason) => quarantined.push([file, reason]),
    ...deps,
  });
  supervisor.start();
  await ticks();
  const newest = () => processes.at(-1) ?? assert.fail('no process');
  const dieIn = async (file: string | null, how: string) => {
    const before = processes.length;
    newest().say({ type: 'at', file });
    await ticks();
    newest().end(how);
    await ticks();
    while (processes.length === before) await clock.advance(500);
    await ticks();
  };
  return { clock, supervisor, processes, newest, submitted, waiting, quarantined, dieIn };
}

/** Lets streams hand on what was written. */
async function ticks(): Promise<void> {
  for (let n = 0; n < 6; n++) await settle();
}
