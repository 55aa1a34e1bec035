import { appendFileSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Capture } from '../agent/capture/capture.ts';
import type { Cursor } from '../agent/contract/commit.ts';
import { silentLogger } from '../agent/contract/logger.ts';
import type { Store } from '../agent/contract/store.ts';
import { systemClock as clock } from '../agent/platform/clock.ts';
import { SOURCES } from '../parsers/index.ts';
import type { Bench, BenchOptions, BenchResult } from './lib/bench.ts';
import { DEFAULTS, openBenchStore } from './lib/bench-store.ts';
import { judge } from './lib/budget.ts';
import { writeOneSession } from './lib/small-home.ts';
import { formatNumber } from './lib/table.ts';
import { tempFolder } from './lib/temp.ts';
import { sleep, waitFor } from './lib/wait.ts';

const RESENT = {
  what: 'rows sent again when messages are appended again unchanged',
  unit: 'rows',
  bar: 0,
  aim: 0,
  better: 'lower',
} as const;

export const ids: Bench = {
  name: 'ids',
  title: 'Rows that go out again when the same thing is read again',
  run,
};

async function run({ quick }: BenchOptions): Promise<BenchResult> {
  using temp = tempFolder('ids');
  const home = join(temp.path, 'home');
  const file = writeOneSession(home, 'project', quick ? 200_000 : 2_000_000);
  const { store, lock } = openBenchStore(join(temp.path, 'state'));
  const steps = [
    await step('first read', { home, store, cursors: [] }),
    await step('every message appended again unchanged', { home, store, change: () => repeatMessages(file) }),
    await step('read again from the start, cursors lost', { home, store, cursors: [] }),
    await step('a copy of the log in another project', { home, store, change: () => copyLog(home, file) }),
  ];
  store.close();
  lock.release();
  const [, ...again] = steps;
  const rows = steps.map(({ name, read, sent }) => [name, formatNumber(read), formatNumber(sent)]);
  return {
    tables: [{ title: 'Rows', head: ['step', 'out of the capture process', 'new in the outbox'], rows }],
    verdicts: [
      judge(
        RESENT,
        again.reduce((sum, { sent }) => sum + sent, 0),
      ),
    ],
    notes: ['only rows that are new in the outbox are ever sent'],
    figures: { steps },
  };
}

interface Step {
  readonly name: string;
  readonly read: number;
  readonly sent: number;
}

interface StepWishes {
  readonly home: string;
  readonly store: Store;
  /** Without: those that the store has. */
  readonly cursors?: Iterable<readonly [string, Cursor]>;
  /** What happens while the home is being followed. */
  readonly change?: () => void;
}

const QUIET_MS = 600;

/** Captures the home once more, with a capture of its own, until nothing has happened for a while. */
async function step(name: string, { home, store, cursors, change }: StepWishes): Promise<Step> {
  const before = store.lastSeq();
  let [read, lastAt, scanned] = [0, 0, false];
  const capture = new Capture({
    init: initFor(home),
    sources: SOURCES.map((source) => ({ source, extraRoots: [] })),
    port: {
      commit(commit) {
        read += commit.rows.count;
        lastAt = clock.monotonic();
        store.commit(home, [commit]);
      },
      room: () => Promise.resolve(),
      settled: () => Promise.resolve(),
    },
    clock,
    logger: silentLogger,
    count() {},
    onReading() {},
    onWaiting() {},
    onSwept: (_, first) => {
      scanned ||= first;
    },
    onDone() {},
  });
  capture.load(cursors ?? [...store.cursors(home)]);
  capture.start();
  await waitFor('the scan', () => scanned);
  change?.();
  await sleep(QUIET_MS);
  await waitFor('quiet', () => clock.monotonic() - lastAt > QUIET_MS);
  await capture.stop();
  return { name, read, sent: store.lastSeq() - before };
}

function initFor(home: string) {
  const { capture, rows } = DEFAULTS;
  return {
    home,
    user: 'alice',
    ownerUid: process.getuid?.() ?? null,
    mode: 'watch',
    sources: [],
    host: { id: 'bench', name: 'bench' },
    labels: {},
    limits: { ...capture, maxTextBytes: rows.maxTextBytes },
    vault: null,
    firstScan: false,
    quarantined: [],
  } as const;
}

/** The last form of every message, once more, as the program writes a message whose tokens arrive late. */
function repeatMessages(file: string): void {
  const last = new Map<string, string>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const id = /^\{"id":"([^"]+)"/.exec(line)?.[1];
    if (id !== undefined) last.set(id, line);
  }
  appendFileSync(file, [...last.values()].map((line) => `${line}\n`).join(''));
}

function copyLog(home: string, file: string): void {
  const copy = join(home, '.gemini', 'tmp', 'moved', 'chats', basename(file));
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(file, copy);
}
