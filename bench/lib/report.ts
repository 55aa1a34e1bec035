import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { space } from './print.ts';
import { readResults, type StoredResult } from './results.ts';
import { formatNumber, markdownTable } from './table.ts';

const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'performance.md');
const BEGIN = '<!-- results: begin -->';
const END = '<!-- results: end -->';

/** Puts the last results into docs/performance.md, between its two marks; returns the document's name. */
export function writeReport(): string {
  const text = readFileSync(DOCUMENT, 'utf8');
  writeFileSync(DOCUMENT, withResults(text, readResults()));
  return 'docs/performance.md';
}

/** The document with its results replaced. Throws when the marks are missing. */
export function withResults(document: string, results: readonly StoredResult[]): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the document has no ${BEGIN} … ${END}`);
  const body = [budgetTable(results), ...results.map(section)].join('\n\n');
  return `${document.slice(0, begin + BEGIN.length)}\n\n${body}\n\n${document.slice(end)}`;
}

function budgetTable(results: readonly StoredResult[]): string {
  const rows = results.flatMap(({ name, verdicts, quick }) =>
    verdicts.map(({ what, value, unit, bar, aim, better, met }) => {
      const sign = better === 'lower' ? '≤' : '≥';
      const label = quick ? `${name} (quick)` : name;
      const measured = `${met ? '' : '**'}${formatNumber(value)}${space(unit)}${met ? '' : '**'}`;
      const bound = `${sign} ${bar}${space(unit)}`;
      return [what, label, measured, bound, `${aim}${space(unit)}`, met ? 'met' : '**not met**'];
    }),
  );
  return `### Budgets\n\n${markdownTable(['what', 'bench', 'measured', 'bar', 'aim', ''], rows)}`;
}

function section({
  title,
  name,
  tables,
  notes,
  machine,
  at,
  seconds,
  quick,
  loadAfter,
}: StoredResult): string {
  const load = `load ${machine.load} before and ${loadAfter.toFixed(2)} after`;
  const run = `\`${name}\`${quick ? ' (quick run)' : ''}, ${at.slice(0, 10)}, ${seconds.toFixed(0)} s, ${load}; Node ${machine.node}, ${machine.cores} × ${machine.cpu}, ${machine.platform}.`;
  return [
    `### ${title}`,
    run,
    ...tables.map((table) => `${table.title}:\n\n${markdownTable(table.head, table.rows)}`),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
  ].join('\n\n');
}
