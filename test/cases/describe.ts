import type { Row } from '../../agent/contract/row.ts';
import type { ListedRow } from './case-form.ts';
import type { Difference } from './pattern.ts';

const MAX_CHARS = 90;

export function describeRow(row: Row): string {
  const place = row.source_file === null ? '' : ` ${row.source_file}:${row.source_line ?? '-'}`;
  return `${row.turn_type} ${row.timestamp_utc ?? 'no time'} ${short(row.text)}${place}`;
}

/** The number is the row's place in the block, from 1. */
export function describeListed(listed: ListedRow, index: number): string {
  return `${index + 1} ${cut(JSON.stringify(listed), 3 * MAX_CHARS)}`;
}

export function describeDifferences(found: readonly Difference[]): string {
  return `differs in ${found.map(({ key, wanted, found: value }) => `${key} (wanted ${short(wanted)}, is ${short(value)})`).join(', ')}`;
}

function short(value: unknown): string {
  return cut(JSON.stringify(value) ?? 'nothing', MAX_CHARS);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
