import Database from 'better-sqlite3';
import type { DraftRow } from '../../agent/contract/row.ts';
import type {
  Cell,
  DatabaseSpec,
  ParseContext,
  RecordMemory,
  TableRecord,
  TableSpec,
} from '../../agent/contract/source.ts';

/** The bytes of a database made from SQL text: fixtures keep databases as `<name>.sql`. */
export function databaseFrom(sql: string): Buffer {
  const db = new Database(':memory:');
  try {
    db.exec(sql);
    return db.serialize();
  } finally {
    db.close();
  }
}

/** Every record of a database at first sight, table after table, as capture hands them to the parser. */
export function parseDatabase(spec: DatabaseSpec, bytes: Buffer, context: ParseContext): DraftRow[] {
  const rows: DraftRow[] = [];
  for (const table of spec.tables) {
    const told: RecordMemory[] = [];
    for (const record of recordsOf(table, bytes)) {
      const beside = () => told.filter(({ key }) => key.join() !== record.key.join());
      const memory = table.parse({ ...record, beside }, context, (row) => void rows.push(row));
      if (memory !== undefined && memory !== '') told.push({ key: record.key, memory });
    }
  }
  return rows;
}

/** Records of one table, in the order of their rowids; none of a database that lacks it. */
export function recordsOf(table: TableSpec, bytes: Buffer): TableRecord[] {
  if (bytes.length === 0) return [];
  const db = new Database(bytes);
  try {
    return recordsIn(db, table);
  } finally {
    db.close();
  }
}

function recordsIn(db: Database.Database, table: TableSpec): TableRecord[] {
  const present = new Set(
    (db.pragma(`table_info("${table.name}")`) as { name: string }[]).map(({ name }) => name),
  );
  if (present.size === 0) return [];
  const names = [...table.key, ...table.columns];
  const wanted = names.map((name) =>
    present.has(name)
      ? `CASE typeof("${name}") WHEN 'text' THEN CAST("${name}" AS BLOB) ELSE "${name}" END`
      : 'NULL',
  );
  const statement = db
    .prepare(`SELECT rowid, ${wanted.join(', ')} FROM "${table.name}" ORDER BY rowid`)
    .raw();
  return (statement.all() as [number, ...Cell[]][]).map(([rowid, ...values]) => {
    const cells = Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
    const key = table.key.map((name) => String(cells[name] ?? ''));
    return { key, cells, rowid, memory: undefined, beside: () => [] };
  });
}
