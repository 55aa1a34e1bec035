import Database from 'better-sqlite3';
import type { DraftRow } from '../../agent/contract/row.ts';
import type { Cell, DatabaseSpec, ParseContext, TableSpec } from '../../agent/contract/source.ts';

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
  if (bytes.length === 0) return rows;
  const db = new Database(bytes);
  try {
    for (const table of spec.tables) parseTable(db, table, { context, emit: (row) => void rows.push(row) });
  } finally {
    db.close();
  }
  return rows;
}

function parseTable(
  db: Database.Database,
  table: TableSpec,
  { context, emit }: { context: ParseContext; emit: (row: DraftRow) => void },
): void {
  const present = new Set(
    (db.pragma(`table_info("${table.name}")`) as { name: string }[]).map(({ name }) => name),
  );
  if (present.size === 0) return;
  const names = [...table.key, ...table.columns];
  const wanted = names.map((name) =>
    present.has(name)
      ? `CASE typeof("${name}") WHEN 'text' THEN CAST("${name}" AS BLOB) ELSE "${name}" END`
      : 'NULL',
  );
  const statement = db
    .prepare(`SELECT rowid, ${wanted.join(', ')} FROM "${table.name}" ORDER BY rowid`)
    .raw();
  for (const [rowid, ...values] of statement.all() as [number, ...Cell[]][]) {
    const cells = Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
    const key = table.key.map((name) => String(cells[name] ?? ''));
    table.parse({ key, cells, rowid, memory: undefined }, context, emit);
  }
}
