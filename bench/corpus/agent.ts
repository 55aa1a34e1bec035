import type { ManifestSession } from './manifest.ts';
import type { Rng } from './rng.ts';

export interface CorpusPlan {
  readonly bytes: number;
  readonly projects: number;
  /** Time of the newest session, in milliseconds since 1970, and over how many days before it they spread. */
  readonly end: number;
  readonly days: number;
}

/** Writes the stores of one coding agent into a home, and says what is in them. */
export interface CorpusAgent {
  readonly id: string;
  write(home: string, rng: Rng, plan: CorpusPlan): ManifestSession[];
}
