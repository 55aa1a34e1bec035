import { ROW_SCHEMA } from '../agent/contract/row.ts';
import { ROW_FIELDS, type RowField } from '../agent/contract/row-fields.ts';
import { isRowId } from '../agent/contract/row-id.ts';

/** A line of a request, looked at: a row to keep, or why it is none. */
export type LineVerdict =
  | { readonly kind: 'row'; readonly row: KnownRow; readonly json: string }
  | {
      readonly kind: 'bad';
      readonly reason: string;
      /** As far as they could be read. */
      readonly rowId: string | null;
      readonly seq: number | null;
    };

/** The fields of a row that the collector uses itself. */
export interface KnownRow {
  readonly row_id: string;
  readonly seq: number;
  readonly agent: string;
  readonly session_id: string | null;
  readonly project_path: string | null;
  readonly turn_type: string;
  readonly event: string | null;
  readonly timestamp_utc: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly host_name: string;
  readonly os_user: string | null;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const FIELDS: readonly (readonly [string, RowField])[] = Object.entries(ROW_FIELDS);

/** Lists that grow with new versions of the sender. Their values are kept without being known here. */
const OPEN_LISTS: ReadonlySet<string> = new Set(['agent'] satisfies (keyof typeof ROW_FIELDS)[]);

export function judgeLine(line: Buffer, maxBytes: number): LineVerdict {
  if (line.length > maxBytes) return bad(`a row may have ${maxBytes} bytes`);
  const json = decode(line);
  const value = json === undefined ? undefined : parseObject(json);
  if (json === undefined || !value) return bad('not a JSON object in UTF-8');
  const reason = faultOf(value);
  if (reason !== undefined) return bad(reason, value);
  return { kind: 'row', row: value as unknown as KnownRow, json };
}

function bad(reason: string, value: Readonly<Record<string, unknown>> = {}): LineVerdict {
  const { row_id: rowId, seq } = value;
  return { kind: 'bad', reason, rowId: isRowId(rowId) ? rowId : null, seq: isSeq(seq) ? seq : null };
}

function decode(line: Buffer): string | undefined {
  try {
    return UTF8.decode(line).trim();
  } catch {
    return undefined;
  }
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What is wrong with the row, or undefined. Fields that are not known here are left alone. */
function faultOf(value: Readonly<Record<string, unknown>>): string | undefined {
  if (!isRowId(value['row_id'])) return 'row_id is not a row id';
  if (!isSeq(value['seq'])) return 'seq is not a whole number';
  if (value['schema'] !== ROW_SCHEMA) return `schema is not ${ROW_SCHEMA}, the only one known here`;
  for (const [name, field] of FIELDS) {
    if (!fits(value[name], name, field)) return `${name} is missing or has another form`;
  }
  return undefined;
}

function fits(value: unknown, name: string, field: RowField): boolean {
  if (value === undefined) return field.optional === true;
  if (value === null) return field.nullable === true;
  if (!OPEN_LISTS.has(name) && field.values && !field.values.includes(String(value))) return false;
  return FORMS[field.type](value);
}

const FORMS: Readonly<Record<RowField['type'], (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  facts: (value) => isMapOf(value, (item) => ['string', 'number', 'boolean'].includes(typeof item)),
  counts: (value) => isMapOf(value, Number.isSafeInteger),
  labels: (value) => isMapOf(value, (item) => typeof item === 'string'),
};

function isMapOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every(isItem);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSeq(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
