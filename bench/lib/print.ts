import type { Verdict } from './budget.ts';
import type { StoredResult } from './results.ts';
import { formatNumber, formatTable } from './table.ts';

/** A result as text for a terminal. */
export function resultText({ title, tables, verdicts, notes, seconds, machine }: StoredResult): string {
  const parts = [
    `## ${title}`,
    ...tables.map((table) => `${table.title}\n${formatTable(table.head, table.rows)}`),
    ...(verdicts.length > 0 ? [verdicts.map(verdictLine).join('\n')] : []),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
    `${seconds.toFixed(0)} s, load ${machine.load}, ${machine.cores} cores, node ${machine.node}`,
  ];
  return parts.join('\n\n');
}

export function verdictLine({ what, value, unit, bar, aim, better, met }: Verdict): string {
  const sign = better === 'lower' ? '<=' : '>=';
  const figure = `${formatNumber(value)}${space(unit)}`;
  return `${met ? 'met    ' : 'NOT MET'}  ${what}: ${figure} (bar ${sign} ${bar}${space(unit)}, aim ${aim}${space(unit)})`;
}

/** "0.35x" but "60 ms". */
export function space(unit: string): string {
  return unit === 'x' || unit === '' ? unit : ` ${unit}`;
}
