import type { DraftRow, Emit } from '../../agent/contract/row.ts';
import type { Cell, RecordMemory, Source, TableRecord } from '../../agent/contract/source.ts';

/** How often the parser was called for a record, by its key: what was not changed must not come again. */
export interface ToyDatabase {
  readonly source: Source;
  readonly parsed: string[];
  /** What parsers kept of the other records when a record was parsed, by its key. */
  readonly beside: Map<string, readonly string[]>;
}

/**
 * A source of one kind of database, `.toy/<name>.db`: `talks` holds a list of texts under one key, as a slot;
 * `talks_v2` the same under key and id. The memory is the number of texts that were told. A value "boom" makes the
 * parser throw.
 */
export function toyDatabase(version = 1): ToyDatabase {
  const parsed: string[] = [];
  const besides = new Map<string, readonly string[]>();

  function parse({ key, cells, memory, beside }: TableRecord, emit: Emit): string {
    const text = textOf(cells['value']);
    parsed.push(key.join('/'));
    besides.set(key.join('/'), firstOf(beside()));
    if (text === 'boom') throw new Error('boom');
    const texts = listOf(text);
    const told = Number(memory ?? 0);
    if (texts.length < told) emit(systemRow(key, `shrunk from ${told} to ${texts.length}`));
    for (const [at, one] of texts.entries()) if (at >= told) emit(rowOf(key, one, at));
    return String(texts.length);
  }

  const table = (name: string, key: string[], columns: string[]) => ({
    name,
    key,
    columns,
    required: name === 'talks',
    parse: (record: TableRecord, _context: unknown, emit: Emit) => parse(record, emit),
    gone: (
      { key: names, memory, cause }: { key: readonly string[]; memory: string | undefined; cause: string },
      _context: unknown,
      emit: Emit,
    ) => emit(systemRow(names, `gone (${cause}) after ${memory}`)),
  });

  return {
    parsed,
    beside: besides,
    source: {
      id: 'gemini-cli',
      title: 'Toy database',
      version,
      roots: [{ path: '.toy' }],
      skipDirectory: () => false,
      files: [
        {
          name: 'talks',
          kind: 'database',
          role: 'primary',
          matches: (relative) => relative.endsWith('.db'),
          tables: [
            table('talks', ['key'], ['value']),
            table('talks_v2', ['key', 'id'], ['value', 'updated_at']),
          ],
        },
      ],
    },
  };
}

export const TALKS = 'CREATE TABLE talks (key TEXT PRIMARY KEY, value TEXT);';
export const TALKS_V2 =
  'CREATE TABLE talks_v2 (key TEXT NOT NULL, id TEXT NOT NULL, value TEXT, updated_at INTEGER, PRIMARY KEY (key, id));';

function firstOf(records: Iterable<RecordMemory>): string[] {
  for (const { key, memory } of records) return [`${key.join('/')} ${memory}`];
  return [];
}

function textOf(cell: Cell | undefined): string {
  return Buffer.isBuffer(cell) ? cell.toString('utf8') : '[]';
}

function listOf(text: string): string[] {
  try {
    return JSON.parse(text) as string[];
  } catch {
    return [`no list: ${text.slice(0, 20)}`];
  }
}

function rowOf(key: readonly string[], text: string, at: number): DraftRow {
  return {
    record: `${key.join('/')} ${at}`,
    part: 'text',
    turn_type: 'user',
    text,
    session_id: key.join('/'),
  };
}

function systemRow(key: readonly string[], text: string): DraftRow {
  return {
    record: key.join('/'),
    part: text,
    turn_type: 'system',
    event: 'session.history_replaced',
    text,
    session_id: key.join('/'),
  };
}
