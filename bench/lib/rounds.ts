import { median } from './stats.ts';

/** What one run of a case took. `work` is in the unit of the bench: bytes, rows, appends. */
export interface Sample {
  readonly work: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Further figures of the run, by name; the median of each is kept. */
  readonly extra?: Readonly<Record<string, number>>;
}

export interface Case {
  readonly name: string;
  run(): Sample | Promise<Sample>;
}

export interface Rounds {
  readonly rounds: number;
  /** Rounds before those that count. */
  readonly warmup: number;
}

/** All runs of one case. */
export interface CaseRuns {
  readonly name: string;
  readonly samples: readonly Sample[];
}

/** Medians of one case, and how it compares with the first case of its call. */
export interface CaseSummary {
  readonly name: string;
  readonly work: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Fastest and slowest run. */
  readonly wallRange: readonly [number, number];
  /** Work a second, relative to the first case: the median over rounds, so that both met the same load. */
  readonly wallRatio: number;
  readonly cpuRatio: number;
  readonly extra: Readonly<Record<string, number>>;
}

/**
 * Runs every case once a round, in turn. The machines are shared: only what ran side by side can be
 * compared, so a ratio is taken inside each round, and then the median of those.
 */
export async function interleave(cases: readonly Case[], { rounds, warmup }: Rounds): Promise<CaseRuns[]> {
  const runs = cases.map(({ name }) => ({ name, samples: [] as Sample[] }));
  for (let round = -warmup; round < rounds; round++) {
    for (const [index, { run }] of cases.entries()) {
      const sample = await run();
      if (round >= 0) runs[index]?.samples.push(sample);
    }
  }
  return runs;
}

export function summarise(runs: readonly CaseRuns[]): CaseSummary[] {
  const [first] = runs;
  return runs.map((run) => summariseCase(run, first ?? run));
}

function summariseCase({ name, samples }: CaseRuns, first: CaseRuns): CaseSummary {
  const walls = samples.map(({ wallMs }) => wallMs);
  return {
    name,
    work: median(samples.map(({ work }) => work)),
    wallMs: median(walls),
    cpuMs: median(samples.map(({ cpuMs }) => cpuMs)),
    wallRange: [Math.min(...walls), Math.max(...walls)],
    wallRatio: rateRatio(samples, first.samples, (sample) => sample.wallMs),
    cpuRatio: rateRatio(samples, first.samples, (sample) => sample.cpuMs),
    extra: medianExtras(samples),
  };
}

function rateRatio(
  samples: readonly Sample[],
  reference: readonly Sample[],
  time: (sample: Sample) => number,
): number {
  return median(
    samples.flatMap((sample, round) => {
      const other = reference[round];
      return other ? [sample.work / time(sample) / (other.work / time(other))] : [];
    }),
  );
}

function medianExtras(samples: readonly Sample[]): Record<string, number> {
  const names = new Set(samples.flatMap(({ extra }) => Object.keys(extra ?? {})));
  return Object.fromEntries(
    [...names].map((name) => [name, median(samples.flatMap(({ extra }) => extra?.[name] ?? []))]),
  );
}

/** Times work in this process. Memory is tidied first where Node allows it (--expose-gc). */
export function measureHere(work: () => number): Sample {
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const done = work();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { work: done, wallMs, cpuMs: (user + system) / 1000 };
}
