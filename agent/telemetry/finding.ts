import type { Problem } from './health.ts';

/** A problem before it is known since when. */
export type Finding = Omit<Problem, 'since'>;

/** "1 file", "2 files". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
