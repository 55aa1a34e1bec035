import assert from 'node:assert/strict';
import type { CaptureState } from '../../../agent/capture/protocol.ts';
import { encodeCommit } from '../../../agent/capture/protocol.ts';
import { RowWriter } from '../../../agent/capture/row-writer.ts';
import { silentLogger } from '../../../agent/contract/logger.ts';
import { type ScanProgress, scanOnce } from '../../../agent/keeper/single-scan.ts';
import { loadConfig } from '../../../config/load.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';
import { FakeProcess } from '../capture/fake-process.ts';

const STATE: CaptureState = {
  watchMode: 'watching',
  roots: [],
  files: { 'gemini-cli': 2 },
  parsed: { 'gemini-cli': 2 },
  rows: {},
  unreadable: ['/home/alice/x: EACCES'],
  waiting: 0,
  minDaysToExpiry: null,
  pinned: 0,
  readBytes: 10,
  lastFullSweep: 1,
};

describe('agent/keeper/single-scan', () => {
  it('passes each row on once, numbered, whatever the process sends again', async () => {
    const { processes, scan, rows } = await setUp({});
    const [process] = processes;
    assert.ok(process);

    send(process, 1, ['a', 'b', 'a']);
    send(process, 2, ['b', 'c']);
    process.say({ type: 'state', state: STATE });
    process.say({ type: 'done' });
    const summary = await scan;

    assert.deepEqual(
      rows.map(({ seq, text }) => `${seq} ${text}`),
      ['1 a', '2 b', '3 c'],
    );
    assert.deepEqual(
      [summary.rows, summary.files, summary.homes, summary.unreadable],
      [3, 2, 1, ['/home/alice/x: EACCES']],
    );
    assert.equal(process.isAlive, false);
  });

  it('goes on with another process when one ends, and passes nothing on twice', async () => {
    const { processes, scan, rows, clock } = await setUp({});
    send(processes[0], 1, ['a']);
    await ticks();
    processes[0]?.end('signal SIGABRT');
    await ticks();
    await clock.advance(1_000);

    send(processes[1], 1, ['a', 'b']);
    processes[1]?.say({ type: 'done' });
    await scan;

    assert.deepEqual(
      rows.map(({ text }) => text),
      ['a', 'b'],
    );
  });

  it('answers no commit while its output is behind, and goes on when that has caught up', async () => {
    const { processes, scan, rows, output } = await setUp({});
    output.behind = true;
    send(processes[0], 1, ['a']);
    await ticks();
    const whileBehind = [rows.length, processes[0]?.heardOf('ack').length];

    output.behind = false;
    output.ready();
    await ticks();
    const after = [rows.length, processes[0]?.heardOf('ack').length];
    processes[0]?.say({ type: 'done' });
    await scan;

    assert.deepEqual(
      [whileBehind, after],
      [
        [0, 0],
        [1, 1],
      ],
    );
  });

  it('ends with a word on why when no process can be started', async () => {
    const { scan, clock } = await setUp({ onSpawn: (process) => process.end('exit code 1') });
    const failed = assert.rejects(scan, (error: Error) => /\/home\/alice.*exit code 1/.test(error.message));

    for (let n = 0; n < 100; n++) await clock.advance(200);

    await failed;
  });

  it('tells how far it is', async () => {
    const { processes, scan, progress, clock } = await setUp({});
    processes[0]?.say({ type: 'state', state: { ...STATE, waiting: 5 } });
    await ticks();

    await clock.advance(250);
    processes[0]?.say({ type: 'done' });
    await scan;

    assert.deepEqual(progress.at(-1), { files: 2, waiting: 5, bytes: 10, rows: 0 });
  });
});

async function setUp({ onSpawn }: { onSpawn?: (process: FakeProcess) => void }) {
  const clock = new FakeClock();
  const processes: FakeProcess[] = [];
  const rows: { seq: number; text: string }[] = [];
  const progress: ScanProgress[] = [];
  const output = { behind: false, ready: () => {} };
  const scan = scanOnce({
    platform: 'linux',
    homes: [{ path: '/home/alice', user: 'alice', uid: undefined, gid: undefined }],
    config: loadConfig({ file: null, confDir: null, env: {} }).config,
    host: { id: 'h', name: 'h' },
    sources: [],
    clock,
    logger: silentLogger,
    spawn() {
      const process = new FakeProcess();
      processes.push(process);
      onSpawn?.(process);
      return process;
    },
    env: () => undefined,
    ownHome: '/root',
    output: {
      take: (json) => rows.push(JSON.parse(json)),
      isBehind: () => output.behind,
      onReady: (listener) => {
        output.ready = listener;
      },
    },
    onProgress: (now) => progress.push(now),
  });
  await ticks();
  return { clock, processes, rows, progress, output, scan };
}

function send(process: FakeProcess | undefined, n: number, texts: readonly string[]): void {
  const writer = new RowWriter({ id: 'h', name: 'h', labels: {}, maxTextBytes: 100 });
  for (const text of texts) {
    writer.add(
      { record: text, part: 'text', turn_type: 'user', text, session_id: 's' },
      { agent: 'gemini-cli', sourceFile: 'f', role: 'primary', backfill: true, user: 'alice' },
      'now',
    );
  }
  const { header, payload } = encodeCommit(n, {
    lane: 'backfill',
    file: 'f',
    cursor: undefined,
    rows: writer.take(),
  });
  process?.say(header, payload);
}

async function ticks(): Promise<void> {
  for (let n = 0; n < 6; n++) await settle();
}
