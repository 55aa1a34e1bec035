import { join } from 'node:path';
import { type RunningAgent, startAgent } from './lib/agent-run.ts';
import type { Bench, BenchOptions, BenchResult } from './lib/bench.ts';
import { DEFAULTS } from './lib/bench-store.ts';
import { judge } from './lib/budget.ts';
import { cpuMsOf, memoryOf } from './lib/process-tree.ts';
import { startReceiver } from './lib/receiver.ts';
import { writeSmallHome } from './lib/small-home.ts';
import { median, sum } from './lib/stats.ts';
import { formatNumber } from './lib/table.ts';
import { tempFolder } from './lib/temp.ts';
import { sleep } from './lib/wait.ts';

const CPU = {
  what: 'idle, 10,000 files, all processes',
  unit: '% of a core',
  bar: 0.05,
  aim: 0.01,
  better: 'lower',
} as const;
const MEMORY = {
  what: 'resident memory idle, all processes',
  unit: 'MB',
  bar: 150,
  aim: 110,
  better: 'lower',
} as const;

export const idle: Bench = {
  name: 'idle',
  title: 'A quiet home: what the agent takes when nothing happens',
  run,
};

const FILES = { files: 10_000, projects: 50 };

async function run({ quick }: BenchOptions): Promise<BenchResult> {
  using temp = tempFolder('idle');
  const home = join(temp.path, 'home');
  writeSmallHome(home, FILES);
  const receiver = await startReceiver(() => {});
  const start = performance.now();
  const agent = await startAgent({ dir: join(temp.path, 'agent'), home, url: receiver.url });
  const scanMs = performance.now() - start;
  try {
    await untilQuiet(agent);
    const window = await watch(agent, quick ? 15 : 60);
    const sweepMs = await fullSweep(agent, window);
    return resultOf({ window, sweepMs, scanMs });
  } finally {
    await agent.stop();
    await receiver.close();
  }
}

interface ProcessUse {
  readonly name: string;
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly pssMb: number;
}

interface Window {
  readonly seconds: number;
  readonly processes: readonly ProcessUse[];
  /** Scheduled sweeps of everything that fell into it. */
  readonly fullSweeps: number;
}

const LOOK_MS = 1_000;
const QUIET_LOOKS = 5;
/** CPU within one look below which the agent counts as quiet. */
const QUIET_CPU_MS = 5;
const MAX_LOOKS = 60;

/** What the first scan leaves behind - delivery, pruning, memory - is not idling. */
async function untilQuiet(agent: RunningAgent): Promise<void> {
  const processes = agent.processes();
  let before = cpuMsOf(processes);
  for (let [quiet, looks] = [0, 0]; quiet < QUIET_LOOKS && looks < MAX_LOOKS; looks++) {
    await sleep(LOOK_MS);
    const now = cpuMsOf(processes);
    quiet = now - before < QUIET_CPU_MS ? quiet + 1 : 0;
    before = now;
  }
}

async function watch(agent: RunningAgent, seconds: number): Promise<Window> {
  const processes = agent.processes();
  const before = processes.map((pid) => cpuMsOf([pid]));
  const from = Date.now();
  await sleep(seconds * 1_000);
  return {
    seconds,
    fullSweeps: sweepsBetween(from, Date.now()),
    processes: processes.map((pid, index) => ({
      name: index === 0 ? 'keeper' : 'capture',
      cpuMs: cpuMsOf([pid]) - (before[index] ?? 0),
      ...memoryOf([pid]),
    })),
  };
}

const SWEEP_MS = DEFAULTS.capture.fullSweepSeconds * 1_000;

/** Full sweeps are scheduled on the clock: at every whole multiple of their interval. */
function sweepsBetween(from: number, to: number): number {
  return Math.floor(to / SWEEP_MS) - Math.floor(from / SWEEP_MS);
}

const SWEEPS = 3;
const SWEEP_WAIT_S = 2;

/** CPU of one sweep of everything, on demand, beyond what the agent takes anyway in the same time. */
async function fullSweep(agent: RunningAgent, window: Window): Promise<number> {
  const processes = agent.processes();
  const usual = (totalCpu(window) / window.seconds) * SWEEP_WAIT_S;
  const costs: number[] = [];
  for (let count = 0; count < SWEEPS; count++) {
    const before = cpuMsOf(processes);
    await agent.sweep();
    await sleep(SWEEP_WAIT_S * 1_000);
    costs.push(cpuMsOf(processes) - before - usual);
  }
  return median(costs);
}

function totalCpu({ processes }: Window): number {
  return sum(processes.map(({ cpuMs }) => cpuMs));
}

interface Figures {
  readonly window: Window;
  readonly sweepMs: number;
  readonly scanMs: number;
}

function resultOf({ window, sweepMs, scanMs }: Figures): BenchResult {
  const { seconds, processes, fullSweeps } = window;
  const percent = (ms: number) => (ms / (seconds * 1_000)) * 100;
  const without = percent(totalCpu(window) - fullSweeps * sweepMs);
  const lasting = without + (sweepMs / SWEEP_MS) * 100;
  const rssMb = sum(processes.map((use) => use.rssMb));
  const row = (name: string, uses: readonly ProcessUse[]) => [
    name,
    formatNumber(sum(uses.map((use) => use.cpuMs))),
    percent(sum(uses.map((use) => use.cpuMs))).toFixed(3),
    formatNumber(sum(uses.map((use) => use.rssMb))),
    formatNumber(sum(uses.map((use) => use.pssMb))),
  ];
  return {
    tables: [
      {
        title: `${seconds} seconds without any change`,
        head: ['process', 'CPU ms', '% of a core', 'RSS MB', 'PSS MB'],
        rows: [...processes.map((use) => row(use.name, [use])), row('all', processes)],
      },
    ],
    verdicts: [judge(CPU, lasting), judge(MEMORY, rssMb)],
    notes: [
      `${FILES.files} files in ${FILES.projects} projects; start to the end of the first scan ${formatNumber(scanMs)} ms`,
      `a sweep of everything takes ${formatNumber(sweepMs)} ms of CPU and comes every ${SWEEP_MS / 1_000} s; ${fullSweeps} fell into the window`,
      `the lasting share is ${without.toFixed(3)} % between full sweeps and ${((sweepMs / SWEEP_MS) * 100).toFixed(3)} % for them`,
    ],
    figures: { window, sweepMs, scanMs, lasting, without },
  };
}
