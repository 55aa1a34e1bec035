/** Sequence numbers from first to last, both included. */
export interface SeqRange {
  readonly first: number;
  readonly last: number;
}

/** The number that the first row of an epoch carries. */
const FIRST_SEQ = 1;

/** Numbers in any order as ranges: ascending, disjoint, not touching. */
export function rangesOf(numbers: readonly number[]): SeqRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range && number <= range.last + 1) range.last = Math.max(range.last, number);
    else ranges.push({ first: number, last: number });
  }
  return ranges;
}

/** One range that covers all the given ones, which touch or overlap each other. */
export function coverOf(ranges: readonly SeqRange[]): SeqRange {
  return {
    first: Math.min(...ranges.map(({ first }) => first)),
    last: Math.max(...ranges.map(({ last }) => last)),
  };
}

/** What lies between ascending, disjoint ranges, and before the first of them. */
export function missingBetween(ranges: readonly SeqRange[]): SeqRange[] {
  const missing: SeqRange[] = [];
  let expected = FIRST_SEQ;
  for (const { first, last } of ranges) {
    if (first > expected) missing.push({ first: expected, last: first - 1 });
    expected = Math.max(expected, last + 1);
  }
  return missing;
}

export function countIn(ranges: readonly SeqRange[]): number {
  let count = 0;
  for (const { first, last } of ranges) count += last - first + 1;
  return count;
}
