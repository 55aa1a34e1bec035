import type { Verdict } from './budget.ts';

export interface BenchOptions {
  /** Small inputs and few rounds, for CI: shows that a bench works, not what the machine can do. */
  readonly quick: boolean;
}

/** A table of figures, as it is printed. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface BenchResult {
  readonly tables: readonly Table[];
  readonly verdicts: readonly Verdict[];
  /** What a reader must know beside the numbers: what was left out, what did not add up. */
  readonly notes: readonly string[];
  /** The figures behind the tables. */
  readonly figures: Readonly<Record<string, unknown>>;
}

export interface Bench {
  readonly name: string;
  readonly title: string;
  run(options: BenchOptions): Promise<BenchResult>;
}
