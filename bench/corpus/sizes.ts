import type { Rng } from './rng.ts';

const SMALLEST = 4_000;
const LARGEST = 200_000;
/** Shares of all bytes that the large sessions have. */
const LARGE = [0.25, 0.1, 0.05] as const;

/**
 * Sizes of the few large sessions of a corpus; the rest are small ones. Real homes look like this, and
 * neither kind alone shows what a scan costs.
 */
export function largeSizes(bytes: number): number[] {
  return LARGE.map((share) => Math.round(bytes * share)).filter((size) => size > LARGEST);
}

export function smallSize(rng: Rng): number {
  return rng.logInt(SMALLEST, LARGEST);
}
