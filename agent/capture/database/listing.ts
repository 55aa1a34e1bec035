import type { Cell, TableSpec } from '../../contract/source.ts';
import { Malformed, noting } from './malformed.ts';
import { digest, type Note, noteName } from './note.ts';
import type { Pages } from './pages.ts';
import { payloadOf, tailBytesOf } from './payload.ts';
import { cellOf, type Field, fieldsOf, headerBytesOf } from './record.ts';
import type { TableInfo } from './schema.ts';
import { type TableCell, type TreeWalk, tableCells } from './table-tree.ts';

/** A record that is to be read: where it stands, and what tells that it changed. */
export interface ChangedRecord {
  readonly table: TableSpec;
  readonly info: TableInfo;
  readonly cell: TableCell;
  readonly fields: readonly Field[];
  readonly name: string;
  readonly key: readonly string[];
  readonly stamp: string;
}

export interface Listing {
  /** Those that changed, no more than were asked for. */
  readonly changed: readonly ChangedRecord[];
  /** There are more of them. */
  readonly more: boolean;
  /** Names of all records. */
  readonly names: ReadonlySet<string>;
}

export interface ListOptions {
  readonly notes: ReadonlyMap<string, Note>;
  readonly version: number;
  readonly most: number;
}

const MAX_RECORDS = 200_000;

/** Goes through the leaves of a table and finds the records that are not what they were when they were last read. */
export function listTable(
  { table, info }: Pick<ChangedRecord, 'table' | 'info'>,
  walk: TreeWalk,
  { notes, version, most }: ListOptions,
): Listing {
  const changed: ChangedRecord[] = [];
  const names = new Set<string>();
  let more = false;
  for (const cell of tableCells(info.root, walk)) {
    if (names.size >= MAX_RECORDS) throw new Malformed('more records than are read', info.root);
    const record = noting(walk, () => lookAt({ table, info, cell }, walk.pages, names));
    if (!record) continue;
    names.add(record.name);
    const note = notes.get(record.name);
    if (note?.version === version && note.stamp === record.stamp && hasSameTail(record, note, walk)) continue;
    if (changed.length < most) changed.push(record);
    else more = true;
  }
  return { changed, more, names };
}

/** Values of the columns of a record, from all of its bytes. */
export function cellsOf(
  { table, info, cell, fields }: Omit<ChangedRecord, 'name' | 'key' | 'stamp'>,
  { payload, pages }: { readonly payload: Buffer; readonly pages: Pages },
  columns: readonly string[] = [...table.key, ...table.columns],
): Record<string, Cell> {
  return Object.fromEntries(
    columns.map((column) => {
      const place = placeOf(info, column);
      const field = fields[place];
      if (place >= 0 && info.names[place] === info.rowidColumn) return [column, cell.rowid];
      return [column, field ? cellOf(payload, field, pages.header.encoding) : null];
    }),
  );
}

/** Bytes of the values that are read: a limit on one record. */
export function wantedBytes({
  table,
  info,
  fields,
}: Pick<ChangedRecord, 'table' | 'info' | 'fields'>): number {
  const wanted = [...table.key, ...table.columns].map((column) => fields[placeOf(info, column)]?.bytes ?? 0);
  return Math.max(0, ...wanted);
}

function lookAt(
  { table, info, cell }: Pick<ChangedRecord, 'table' | 'info' | 'cell'>,
  pages: Pages,
  names: ReadonlySet<string>,
): ChangedRecord {
  const header = payloadOf(
    pages,
    cell,
    Math.min(cell.bytes, Math.max(cell.local.length, headerBytesOf(cell.local))),
  );
  const fields = fieldsOf(header, cell.bytes, info.root);
  const key = keyOf({ table, info, cell, fields }, pages);
  const name = noteName(table.name, key, key.length === 0 ? cell.rowid : undefined);
  return {
    table,
    info,
    cell,
    fields,
    key,
    name: names.has(name) ? noteName(table.name, key, cell.rowid) : name,
    stamp: `${cell.rowid} ${cell.bytes} ${cell.overflow} ${digest(cell.local)}`,
  };
}

/** Empty when a column of the key is NULL or not there. */
function keyOf(record: Omit<ChangedRecord, 'name' | 'key' | 'stamp'>, pages: Pages): string[] {
  const { table, info, cell, fields } = record;
  const ends = table.key
    .map((column) => fields[placeOf(info, column)])
    .map((field) => (field ? field.at + field.bytes : 0));
  const payload = payloadOf(pages, cell, Math.max(cell.local.length, ...ends));
  const values = Object.values(cellsOf(record, { payload, pages }, table.key));
  return values.includes(null) ? [] : values.map(String);
}

function placeOf(info: TableInfo, column: string): number {
  return info.names.findIndex((name) => name.toLowerCase() === column.toLowerCase());
}

/** The page that was its last one may be anything by now, or lie outside the database. */
function hasSameTail({ cell }: ChangedRecord, note: Note, { pages }: TreeWalk): boolean {
  const bytes = tailBytesOf(pages, cell);
  if (bytes === 0) return true;
  if (note.tailPage < 1 || note.tailPage > pages.count) return false;
  return digest(pages.page(note.tailPage).subarray(4, 4 + bytes)) === note.tail;
}
