import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeCorpus } from './corpus/corpus.ts';
import type { Manifest } from './corpus/manifest.ts';
import type { Bench, BenchOptions, BenchResult, Table } from './lib/bench.ts';
import { judge } from './lib/budget.ts';
import { bundle } from './lib/bundle.ts';
import { runMeasured } from './lib/child-run.ts';
import { findNativePeer } from './lib/native-peer.ts';
import { ratesTable } from './lib/rates.ts';
import { type Case, type CaseSummary, interleave, type Sample, summarise } from './lib/rounds.ts';
import { median } from './lib/stats.ts';
import { missingRows } from './lib/stored-rows.ts';
import { formatNumber } from './lib/table.ts';
import { tempFolder } from './lib/temp.ts';

const SPEED = {
  what: 'full backfill into the outbox, against read + split + JSON.parse (speed)',
  unit: 'x',
  bar: 0.35,
  aim: 0.7,
  better: 'higher',
} as const;
const NATIVE = {
  what: "full backfill, against the coding agent's own reader (time)",
  unit: 'x',
  bar: 1,
  aim: 0.5,
  better: 'lower',
} as const;
const MEMORY = {
  what: 'resident memory while a home is read for the first time, all processes',
  unit: 'MB',
  bar: 260,
  aim: 180,
  better: 'lower',
} as const;

export const backfill: Bench = {
  name: 'backfill',
  title: 'First scan of a home into the durable outbox',
  run,
};

const FLOOR = 'read + split + JSON.parse';
const NATIVE_CASE = "gemini-cli-core's own reader";
const PIPELINE = 'capture + keeper, durable';

async function run({ quick }: BenchOptions): Promise<BenchResult> {
  using temp = tempFolder('backfill');
  const home = join(temp.path, 'home');
  const empty = join(temp.path, 'empty');
  mkdirSync(empty);
  const manifest = writeCorpus(home, { mb: quick ? 16 : 50, seed: '1' });
  const peer = findNativePeer();
  const states = stateDirs(temp.path);
  const pipeline = await bundle('bench/processes/pipeline.ts', 'pipeline');
  const homes = { home, empty };
  const cases = [
    netOf(FLOOR, homes, (dir) => runMeasured(script('floor'), [dir])),
    ...(peer.dir === undefined ? [] : [nativeCase(homes, peer.dir)]),
    netOf(PIPELINE, homes, (dir) => runMeasured(pipeline, [dir, states.next()])),
  ];
  const summaries = summarise(await interleave(cases, { rounds: quick ? 3 : 5, warmup: 1 }));
  return {
    tables: [
      ratesTable('MB of session files a second, net of starting', summaries, { unit: 'MB/s', per: 1e6 }),
      wholeTable(summaries),
    ],
    verdicts: verdictsOf(summaries),
    notes: [corpusNote(manifest), ...peer.notes, ...missingRows(states.last(), manifest)],
    figures: { cases: summaries, corpus: manifest.totals },
  };
}

function nativeCase(homes: Homes, packageDir: string): Case {
  return netOf(NATIVE_CASE, homes, (dir) => runMeasured(script('native-peer'), [dir, packageDir]));
}

function verdictsOf(summaries: readonly CaseSummary[]) {
  const find = (name: string) => summaries.find((summary) => summary.name === name);
  const [pipeline, native] = [find(PIPELINE), find(NATIVE_CASE)];
  const { wallRatio = Number.NaN, extra } = pipeline ?? {};
  return [
    judge(SPEED, wallRatio),
    ...(native ? [judge(NATIVE, native.wallRatio / wallRatio)] : []),
    judge(MEMORY, extra?.['peakRssMb'] ?? Number.NaN),
  ];
}

interface Homes {
  readonly home: string;
  readonly empty: string;
}

/** What a process takes for the home beyond what it takes for an empty one: starting is not part of the rate. */
function netOf(name: string, { home, empty }: Homes, measure: (home: string) => Promise<Sample>): Case {
  const starts: Sample[] = [];
  return {
    name,
    async run() {
      starts.push(await measure(empty));
      const whole = await measure(home);
      const startWallMs = median(starts.map(({ wallMs }) => wallMs));
      const startCpuMs = median(starts.map(({ cpuMs }) => cpuMs));
      return {
        work: whole.work,
        wallMs: Math.max(CPU_STEP_MS, whole.wallMs - startWallMs),
        cpuMs: Math.max(CPU_STEP_MS, whole.cpuMs - startCpuMs),
        extra: { ...whole.extra, wholeWallMs: whole.wallMs, wholeCpuMs: whole.cpuMs, startCpuMs },
      };
    },
  };
}

/** CPU of processes that have ended is told in steps of this; less cannot be measured. */
const CPU_STEP_MS = 10;

function wholeTable(summaries: readonly CaseSummary[]): Table {
  const figure = (value: number | undefined) => formatNumber(value ?? Number.NaN);
  return {
    title: 'Whole processes',
    head: ['case', 'wall ms', 'CPU ms', 'of it starting', 'of it the keeper', 'peak RSS MB'],
    rows: summaries.map(({ name, extra }) => [
      name,
      figure(extra['wholeWallMs']),
      figure(extra['wholeCpuMs']),
      figure(extra['startCpuMs']),
      figure(extra['keeperCpuMs']),
      figure(extra['peakRssMb']),
    ]),
  };
}

function corpusNote({ totals }: Manifest): string {
  const { sessions, bytes, lines } = totals;
  return `corpus: ${sessions} sessions, ${(bytes / 1e6).toFixed(1)} MB, ${formatNumber(lines)} lines`;
}

function script(name: string): string {
  return join(import.meta.dirname, 'processes', `${name}.ts`);
}

/** Every scan is a first one, so each gets a state directory of its own. */
function stateDirs(root: string): { next(): string; last(): string } {
  let count = 0;
  return {
    next: () => join(root, `state-${++count}`),
    last: () => join(root, `state-${count}`),
  };
}
