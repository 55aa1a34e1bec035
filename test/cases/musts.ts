import { type MustRow, mustRowForm, type Pattern } from './case-form.ts';
import { describeRow } from './describe.ts';
import type { Mode } from './listed-rows.ts';
import type { Received } from './match.ts';
import { fits } from './pattern.ts';

/** A sentence of the notes that the listed rows do not cover, and the rows that it stands for. */
export interface Must {
  readonly says: string;
  readonly rows: readonly MustRow[];
}

/**
 * The sentences below "Must:", one a line that begins with a hyphen; below each, indented and in backquotes, one JSON object a
 * line says which rows it means. Throws what the form of a row does not allow, and on a line that looks
 * like one and is none.
 */
export function mustsIn(markdown: string): Must[] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => /^Must:\s*$/.test(line));
  if (start === -1) return [];
  const musts: { says: string; rows: MustRow[] }[] = [];
  for (const line of lines.slice(start + 1)) {
    const [, says] = /^- (.+)$/.exec(line) ?? [];
    const [, row] = /^ +`(\{.*\})`$/.exec(line) ?? [];
    if (says !== undefined) musts.push({ says, rows: [] });
    else if (row !== undefined) musts.at(-1)?.rows.push(mustRowForm.parse(JSON.parse(row)));
    else if (/^ +`?\{/.test(line)) throw new Error(`neither a sentence nor a row: ${line.trim()}`);
    else if (/^\S/.test(line)) break;
  }
  return musts;
}

/** Sentences of which the rows did not come, or not so many of them. */
export function brokenMusts(musts: readonly Must[], received: readonly Received[], mode: Mode): string[] {
  return musts.flatMap(({ says, rows }) =>
    rows
      .filter(({ live }) => live !== true || mode !== 'cold')
      .flatMap(({ count = 1, live: _, ...pattern }) => {
        const found = received.filter(({ row }) => fits(pattern satisfies Pattern, row));
        if (found.length === count) return [];
        const came = found.slice(0, 3).map(({ row }) => `  came: ${describeRow(row)}`);
        return [[`must: ${says}: ${count} wanted, ${found.length} came`, ...came].join('\n')];
      }),
  );
}
