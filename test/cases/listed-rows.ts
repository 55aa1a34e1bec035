import { type ListedRow, listedRowForm, type Pattern } from './case-form.ts';

/** Keys that say how often and when a row must come, and nothing about what it is like. */
const COUNTING = new Set(['opt', 'max', 'live', 'when']);

/**
 * The rows of the fenced block "rows", one JSON object a line; undefined when there is no such block.
 * Split at the line feed only: texts may hold U+2028.
 */
export function listedRows(markdown: string): ListedRow[] | undefined {
  const blocks = [...markdown.matchAll(/^```rows\n(.*?)^```/gms)];
  if (blocks.length === 0) return undefined;
  return blocks
    .flatMap(([, body = '']) => body.split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => listedRowForm.parse(JSON.parse(line)));
}

/** Whether the notes of a case promise that warm and cold give the same ids. */
export function wantsSameIds(markdown: string): boolean {
  return /same set of row ids/i.test(markdown);
}

export function patternOf(listed: ListedRow): Pattern {
  return Object.fromEntries(Object.entries(listed).filter(([key]) => !COUNTING.has(key)));
}

/** How a case was run: warm and cold for one with steps, once for one without. */
export type Mode = 'warm' | 'cold' | 'once';

/** How often a listed row must come. */
export interface Bounds {
  readonly min: 0 | 1;
  readonly max: number;
}

/**
 * Undefined where the row may not come at all. A cold agent sees only what is left, so nothing is demanded
 * of it unless the case says so; a row that a history file still holds may come then and only then.
 */
export function boundsOf(row: ListedRow, mode: Mode, allButLive: boolean): Bounds | undefined {
  if (row.when === 'cold' && mode === 'warm') return undefined;
  const mayBeMissing = row.opt === true || row.max !== undefined || row.when === 'cold';
  const unseenCold = mode === 'cold' && (!allButLive || row.live === true);
  return { min: mayBeMissing || unseenCold ? 0 : 1, max: row.max ?? 1 };
}
