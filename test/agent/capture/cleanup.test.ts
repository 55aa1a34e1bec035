import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Row } from '../../../agent/contract/row.ts';
import { kiroCli } from '../../../parsers/kiro-cli/index.ts';
import { tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';
import { startCapture } from './support.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const SCHEMA = readFileSync(join(FIXTURES, 'recorded/initial/kiro-cli.sql'), 'utf8');
const DATABASE = '.local/share/kiro-cli/data.sqlite3';
const DAY_MS = 86_400_000;

interface Save {
  readonly mark?: string;
  readonly file?: string;
  readonly key?: string;
  readonly conversation_id?: string;
  readonly value?: string;
  readonly text?: string;
  readonly deleted?: true;
}

/** What Kiro CLI 2.2.1 did at its starts, with no period, one of 30 days and one of 0: a list for each start. */
const STARTS = startsIn(
  readFileSync(join(FIXTURES, 'kiro-cli/recorded/cleanup-saves.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Save),
);

function startsIn(saves: readonly Save[]): Save[][] {
  const starts: Save[][] = [[]];
  for (const save of saves) {
    if (save.mark === undefined) starts.at(-1)?.push(save);
    else starts.push([]);
  }
  return starts.filter((start) => start.length > 0);
}

/** Sessions and conversations that a start deletes, by their ids. */
function deletedBy(start: readonly Save[]): string[] {
  return start.flatMap(({ deleted, file, conversation_id }) => {
    if (!deleted) return [];
    return conversation_id ?? /([^/]+)\.jsonl$/.exec(file ?? '')?.[1] ?? [];
  });
}

describe('agent/capture, Kiro CLI cleaning up', () => {
  it('tells each session and conversation that goes, with the period in force', async () => {
    const home = tempDir();
    using db = createHome(home);
    const { port } = await startCapture(home, { source: kiroCli });
    const told = () => port.rows.filter(({ event }) => event === 'session.deleted');
    const perStart: Row[][] = [];
    for (const start of STARTS) {
      const before = told().length;
      for (const save of start) play(home, db.connection, save);
      const expected = deletedBy(start).length;
      await until('the deletions of a start', () => told().length >= before + expected);
      await until('what it wrote', () => start.every((save) => isRead(save, port.rows)));
      perStart.push(told().slice(before));
    }

    assert.deepEqual(
      perStart.map((rows) => rows.map(({ session_id }) => session_id).sort()),
      STARTS.map((start) => deletedBy(start).sort()),
    );
    assert.deepEqual(
      perStart.map((rows) => [...new Set(rows.map(({ attributes }) => attributes['retention_days']))]),
      [[], [30], [0], [0]],
    );
    assert.deepEqual(
      new Set(
        perStart.flat().map(({ attributes }) => `${attributes['cause']} ${attributes['while_stopped']}`),
      ),
      new Set(['expired false']),
    );
  });
});

/** The home as it was: what went under the period of 30 days was set back by 40 days, everything else was new. */
function createHome(home: string): { connection: Database.Database } & Disposable {
  const connection = openDatabase(home);
  const now = Date.now();
  const written = new Set(
    STARTS.flat().flatMap(({ value, conversation_id }) => (value && conversation_id) || []),
  );
  for (const [at, start] of STARTS.entries()) {
    const savedMs = at === 1 ? now - 40 * DAY_MS : now - DAY_MS;
    for (const { deleted, file, key = '', conversation_id = '' } of start) {
      if (!deleted || written.has(conversation_id)) continue;
      if (file === undefined) save(connection, { key, id: conversation_id, value: EMPTY, savedMs });
      else write(join(home, file), file.endsWith('.jsonl') ? logOf(savedMs) : '{}');
    }
  }
  return { connection, [Symbol.dispose]: () => void connection.close() };
}

const EMPTY = '{"history":[]}';

function openDatabase(home: string): Database.Database {
  mkdirSync(dirname(join(home, DATABASE)), { recursive: true });
  const connection = new Database(join(home, DATABASE));
  connection.exec(SCHEMA);
  return connection;
}

function logOf(savedMs: number): string {
  const data = {
    message_id: 'u1',
    content: [{ kind: 'text', data: 'hello' }],
    meta: { timestamp: Math.floor(savedMs / 1_000) },
  };
  return `${JSON.stringify({ version: 'v1', kind: 'Prompt', data })}\n`;
}

function play(home: string, db: Database.Database, given: Save): void {
  const { file, key = '', conversation_id: id = '', value, text = '', deleted } = given;
  if (file !== undefined && deleted) rmSync(join(home, file));
  else if (file !== undefined) write(join(home, file), text);
  else if (deleted)
    db.prepare('DELETE FROM conversations_v2 WHERE key = ? AND conversation_id = ?').run(key, id);
  else if (value !== undefined) save(db, { key, id, value, savedMs: Date.now() });
}

function save(
  db: Database.Database,
  { key, id, value, savedMs }: { key: string; id: string; value: string; savedMs: number },
): void {
  db.prepare('INSERT OR REPLACE INTO conversations_v2 VALUES (?, ?, ?, ?, ?)').run(
    key,
    id,
    value,
    savedMs,
    savedMs,
  );
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A conversation that is written in a start has given rows. */
function isRead({ value, conversation_id }: Save, rows: readonly Row[]): boolean {
  return value === undefined || rows.some(({ session_id }) => session_id === conversation_id);
}
