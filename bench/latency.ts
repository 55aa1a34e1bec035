import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRng } from './corpus/rng.ts';
import { makeText } from './corpus/text.ts';
import { startAgent } from './lib/agent-run.ts';
import type { Bench, BenchOptions, BenchResult } from './lib/bench.ts';
import { judge } from './lib/budget.ts';
import { cpuMsOf } from './lib/process-tree.ts';
import { startReceiver } from './lib/receiver.ts';
import { writeSmallHome } from './lib/small-home.ts';
import { quantile } from './lib/stats.ts';
import { formatNumber } from './lib/table.ts';
import { tempFolder } from './lib/temp.ts';
import { sleep } from './lib/wait.ts';

const MEDIAN = {
  what: 'append to committed row, p50',
  unit: 'ms',
  bar: 60,
  aim: 10,
  better: 'lower',
} as const;
const TAIL = {
  what: 'append to committed row, p99',
  unit: 'ms',
  bar: 120,
  aim: 50,
  better: 'lower',
} as const;

export const latency: Bench = {
  name: 'latency',
  title: 'From an append to the committed row, and to the collector',
  run,
};

const EVERY_MS = 60;
const FILES = { files: 1_000, projects: 20 };
const APPEND_CHARS = 3_000;
/** Sessions that are written in turn. */
const ACTIVE = 3;

async function run({ quick }: BenchOptions): Promise<BenchResult> {
  using temp = tempFolder('latency');
  const home = join(temp.path, 'home');
  const files = writeSmallHome(home, FILES).slice(0, ACTIVE);
  const marks = createMarks();
  const receiver = await startReceiver(({ ndjson }) => marks.arrived(ndjson));
  const agent = await startAgent({ dir: join(temp.path, 'agent'), home, url: receiver.url });
  const looking = setInterval(() => {
    for (const rows of agent.state.newRows()) marks.committed(rows);
  }, 1);
  try {
    await sleep(1_000);
    const appends = quick ? 40 : 200;
    const processes = agent.processes();
    const before = cpuMsOf(processes);
    await appendAll(files, appends, marks);
    await sleep(1_000);
    return resultOf(marks, { appends, cpuMs: cpuMsOf(processes) - before });
  } finally {
    clearInterval(looking);
    await agent.stop();
    await receiver.close();
  }
}

async function appendAll(files: readonly string[], appends: number, marks: Marks): Promise<void> {
  const rng = createRng('latency');
  for (let count = 0; count < appends; count++) {
    const text = `bench-mark-${count}. ${makeText(rng, APPEND_CHARS)}`;
    const record = { id: rng.uuid(), timestamp: new Date().toISOString(), type: 'user', content: [{ text }] };
    const line = `${JSON.stringify(record)}\n`;
    marks.written(count);
    appendFileSync(files[count % files.length] ?? '', line);
    await sleep(EVERY_MS);
  }
}

type Marks = ReturnType<typeof createMarks>;

/** When each marked row was written, first seen in the database, and first seen at the collector. */
function createMarks() {
  const writtenAt: number[] = [];
  const committedMs = new Map<number, number>();
  const arrivedMs = new Map<number, number>();
  function note(rows: Buffer, delays: Map<number, number>): void {
    const now = performance.now();
    for (const [, mark] of rows.toString('latin1').matchAll(/bench-mark-(\d+)\./g)) {
      const written = writtenAt[Number(mark)];
      if (written !== undefined && !delays.has(Number(mark))) delays.set(Number(mark), now - written);
    }
  }
  return {
    written(mark: number): void {
      writtenAt[mark] = performance.now();
    },
    committed: (rows: Buffer) => note(rows, committedMs),
    arrived: (rows: Buffer) => note(rows, arrivedMs),
    committedMs: () => [...committedMs.values()],
    arrivedMs: () => [...arrivedMs.values()],
  };
}

function resultOf(marks: Marks, { appends, cpuMs }: { appends: number; cpuMs: number }): BenchResult {
  const [committed, arrived] = [marks.committedMs(), marks.arrivedMs()];
  const row = (name: string, delays: readonly number[]) => [
    name,
    `${delays.length} of ${appends}`,
    ...[0.5, 0.9, 0.99, 1].map((q) => formatNumber(quantile(delays, q))),
  ];
  return {
    tables: [
      {
        title: 'Milliseconds from the append',
        head: ['to', 'rows', 'p50', 'p90', 'p99', 'max'],
        rows: [row('committed row', committed), row('row at the collector', arrived)],
      },
    ],
    verdicts: [judge(MEDIAN, quantile(committed, 0.5)), judge(TAIL, quantile(committed, 0.99))],
    notes: [
      `${FILES.files} files in ${FILES.projects} projects; ${APPEND_CHARS} characters every ${EVERY_MS} ms, to ${ACTIVE} sessions in turn`,
      'a commit is seen by looking into the database every millisecond or so, which adds up to that to each figure',
      `${formatNumber(cpuMs / appends)} ms of CPU an append, all processes, while running`,
      ...(committed.length === appends && arrived.length === appends
        ? []
        : ['WRONG: not every row was seen']),
    ],
    figures: { committedMs: committed, arrivedMs: arrived, cpuMsPerAppend: cpuMs / appends },
  };
}
