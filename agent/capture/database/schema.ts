import type { DatabaseSpec } from '../../contract/source.ts';
import { columnsOf, type TableColumns } from './columns.ts';
import { Malformed, noting } from './malformed.ts';
import { payloadOf } from './payload.ts';
import { cellOf, fieldsOf } from './record.ts';
import { type TableCell, type TreeWalk, tableCells } from './table-tree.ts';

export interface TableInfo extends TableColumns {
  readonly root: number;
}

/** What a database holds under the names that its spec reads. refused: something of that name that is no plain table. */
export interface Schema {
  readonly tables: ReadonlyMap<string, TableInfo>;
  readonly refused: readonly string[];
  /** Tables of any name. */
  readonly count: number;
}

const SCHEMA_ROOT = 1;
const SCHEMA_COLUMNS = 5;
const MAX_ENTRIES = 10_000;
/** Longest definition that is looked at: type, name and SQL text of one object. */
const MAX_ENTRY_BYTES = 256 * 1024;

interface Entry {
  readonly type: string;
  readonly name: string;
  readonly root: number;
  readonly sql: string;
}

/** Reads the schema as data: no statement in it is ever run. */
export function readSchema(spec: DatabaseSpec, walk: TreeWalk): Schema {
  const wanted = new Map(spec.tables.map(({ name }) => [name.toLowerCase(), name]));
  const tables = new Map<string, TableInfo>();
  const refused: string[] = [];
  let [count, entries] = [0, 0];
  for (const cell of tableCells(SCHEMA_ROOT, walk)) {
    if (++entries > MAX_ENTRIES) throw new Malformed('a schema without end', SCHEMA_ROOT);
    const entry = entryOf(cell, walk);
    if (entry?.type === 'table') count++;
    const name = wanted.get(entry?.name.toLowerCase() ?? '');
    if (!entry || name === undefined || (entry.type !== 'table' && entry.type !== 'view')) continue;
    const columns = entry.type === 'table' && entry.root > 1 ? columnsOf(entry.sql) : undefined;
    if (columns) tables.set(name, { ...columns, root: entry.root });
    else refused.push(name);
  }
  return { tables, refused, count };
}

function entryOf(cell: TableCell, walk: TreeWalk): Entry | undefined {
  const { pages } = walk;
  if (cell.bytes > MAX_ENTRY_BYTES) return undefined;
  return noting(walk, () => {
    const payload = payloadOf(pages, cell);
    const fields = fieldsOf(payload, cell.bytes, SCHEMA_ROOT);
    if (fields.length < SCHEMA_COLUMNS) return undefined;
    const [type, name, , root, sql] = fields.map((field) => cellOf(payload, field, pages.header.encoding));
    return { type: String(type), name: String(name), root: Number(root), sql: String(sql ?? '') };
  });
}
