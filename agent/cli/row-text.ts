import type { Row } from '../contract/row.ts';
import { ROW_FIELDS } from '../contract/row-fields.ts';
import { flat, oneLine, paint, printable, type Style } from './output.ts';

const STYLES = {
  user: 'cyan',
  assistant: 'green',
  thinking: 'dim',
  tool_use: 'magenta',
  tool_result: 'dim',
  system: 'yellow',
} as const satisfies Record<Row['turn_type'], Style>;

/** A row for the eye: time, agent, session, who, and the beginning of the text. */
export function rowLine(row: Row, width = 110): string {
  const time = row.timestamp_utc?.slice(0, 19).replace('T', ' ') ?? '-------------------';
  const session = flat(row.session_id ?? '-')
    .slice(0, 8)
    .padEnd(8);
  const who = flat(row.event ?? row.tool_name ?? row.turn_type)
    .slice(0, 22)
    .padEnd(22);
  return `${paint('dim', time)} ${row.agent.padEnd(10)} ${session} ${paint(STYLES[row.turn_type], who)} ${oneLine(row.text, width)}`;
}

/** A row as it is read in a conversation: the whole text under a line that says who and when. */
export function rowBlock(row: Row): string {
  const what = [row.turn_type, row.event, row.tool_name, row.model]
    .filter((part) => part !== null)
    .map(flat)
    .join(' · ');
  const time = row.timestamp_utc ?? 'no time';
  return `${paint(STYLES[row.turn_type], what)} ${paint('dim', time)}\n${printable(row.text)}\n`;
}

export function csvHeader(): string {
  return Object.keys(ROW_FIELDS).join(',');
}

export function csvLine(row: Row): string {
  return Object.keys(ROW_FIELDS)
    .map((name) => csvCell(row[name as keyof Row]))
    .join(',');
}

/** RFC 4180. A leading = + - @ would be run as a formula by a spreadsheet, so it gets an apostrophe. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
