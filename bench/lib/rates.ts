import type { Table } from './bench.ts';
import type { CaseSummary } from './rounds.ts';
import { formatNumber } from './table.ts';

export interface RateUnit {
  readonly unit: string;
  /** Work that makes one of the unit: 1e6 for MB of bytes. */
  readonly per: number;
}

/** Rates by wall time and by CPU time, each with its ratio to the first case. */
export function ratesTable(title: string, cases: readonly CaseSummary[], { unit, per }: RateUnit): Table {
  const rate = (work: number, ms: number) => formatNumber(work / per / (ms / 1000));
  return {
    title,
    head: [
      'case',
      unit,
      'slowest to fastest',
      'x first',
      `${unit.replace('/s', '')} a CPU second`,
      'x first (CPU)',
    ],
    rows: cases.map(({ name, work, wallMs, cpuMs, wallRange, wallRatio, cpuRatio }) => [
      name,
      rate(work, wallMs),
      `${rate(work, wallRange[1])} to ${rate(work, wallRange[0])}`,
      wallRatio.toFixed(2),
      rate(work, cpuMs),
      cpuRatio.toFixed(2),
    ]),
  };
}
