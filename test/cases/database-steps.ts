import Database from 'better-sqlite3';
import type { Step } from './case-form.ts';
import { inHome, inputOf, type Place } from './place.ts';

type StepOf<Op extends Step['op']> = Extract<Step, { op: Op }>;

/** Runs statements once, in a connection of its own, the way the observed program would. */
export function runSql({ path, from }: StepOf<'sql'>, place: Place): void {
  using db = open(inHome(place, path), 5000);
  db.handle.exec(inputOf(place, from).toString('utf8'));
}

/**
 * Runs the statements again and again. A writer that does not wait (busy_timeout_ms 0) fails when someone
 * holds a lock, and that must never be us.
 */
export async function runSqlLoop(step: StepOf<'sql_loop'>, place: Place): Promise<string[]> {
  const statements = inputOf(place, step.from).toString('utf8');
  const failures = new Map<string, number>();
  using db = open(inHome(place, step.path), step.busy_timeout_ms ?? 5000);
  for (let number = 0; number < step.times; number++) {
    try {
      db.handle.exec(statements);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failures.set(reason, (failures.get(reason) ?? 0) + 1);
    }
    await pause(step.every_ms);
  }
  return [...failures].map(
    ([reason, number]) => `${number} of ${step.times} writes to ${step.path} failed: ${reason}`,
  );
}

/** Holds the database locked against everyone for a while. */
export async function lockDatabase({ path, ms }: StepOf<'lock_db'>, place: Place): Promise<string[]> {
  using db = open(inHome(place, path), 5000);
  db.handle.exec('BEGIN EXCLUSIVE');
  await pause(ms);
  db.handle.exec('ROLLBACK');
  return [];
}

/** Rows of a recording, written as the observed programs write them: one statement each, no transaction. */
export interface RowWriter extends Disposable {
  write(row: RecordedRow): void;
}

export interface RecordedRow {
  readonly table: string;
  readonly key: string;
  readonly deleted?: boolean;
  readonly [column: string]: unknown;
}

export function openRowWriter(path: string): RowWriter {
  const db = open(path, 5000);
  return {
    write(row) {
      const { sql, values } = statementOf(row);
      db.handle.prepare(sql).run(...values);
    },
    [Symbol.dispose]: () => db[Symbol.dispose](),
  };
}

/** Columns of the primary keys of the tables that recordings write. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  conversations: ['key'],
  conversations_v2: ['key', 'conversation_id'],
};

function statementOf({ table, deleted, ...columns }: RecordedRow): { sql: string; values: unknown[] } {
  const keys = KEYS[table];
  if (!keys) throw new Error(`unsupported: a recording that writes the table ${table}`);
  if (deleted === true) {
    const given = keys.filter((key) => columns[key] !== undefined);
    return {
      sql: `DELETE FROM ${table} WHERE ${given.map((key) => `${key} = ?`).join(' AND ')}`,
      values: given.map((key) => columns[key]),
    };
  }
  const names = Object.keys(columns);
  const insert = `INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  if (table === 'conversations')
    return { sql: `INSERT OR REPLACE ${insert}`, values: Object.values(columns) };
  const updated = names.filter((name) => !keys.includes(name) && name !== 'created_at');
  const set = updated.map((name) => `${name} = excluded.${name}`).join(', ');
  return {
    sql: `INSERT ${insert} ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${set}`,
    values: Object.values(columns),
  };
}

function open(path: string, timeoutMs: number): Disposable & { readonly handle: Database.Database } {
  const handle = new Database(path, { fileMustExist: true, timeout: timeoutMs });
  return { handle, [Symbol.dispose]: () => void handle.close() };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
