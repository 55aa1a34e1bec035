import assert from 'node:assert/strict';
import type { DraftRow } from '../../../agent/contract/row.ts';
import type { LogSpec, ParseContext } from '../../../agent/contract/source.ts';
import { geminiCli } from '../../../parsers/gemini-cli/index.ts';
import { type FakeContext, fakeContext, parseLog } from '../support.ts';

export const SESSION_ID = 'c0de0001-1111-4000-8000-000000000001';
export const PROJECT = '/home/alice/proj';
export const SESSION_PATH = 'tmp/proj/chats/session-2026-10-01T09-00-c0de0001.jsonl';
export const CONTEXT_TEXT = '<session_context>\nThis is the Gemini CLI.\n</session_context>';

export type Json = Readonly<Record<string, unknown>>;

/** A time on the day of the test session. */
export function at(time: string): string {
  return `2026-10-01T${time}.000Z`;
}

export function header(more: Json = {}): Json {
  return {
    sessionId: SESSION_ID,
    projectHash: '2af6b4a70d443ffdfe2b93b75008d7d9e4b3327c183f7e70cc2fb5e29ceec35d',
    startTime: at('09:00:00'),
    lastUpdated: at('09:00:00'),
    kind: 'main',
    ...more,
  };
}

/** A user message; text becomes one part, a list stands for the parts themselves. */
export function user(id: string, content: string | readonly Json[], more: Json = {}): Json {
  const parts = typeof content === 'string' ? [{ text: content }] : content;
  return { id, timestamp: at('09:00:05'), type: 'user', content: parts, ...more };
}

export function gemini(id: string, content: unknown, more: Json = {}): Json {
  return { id, timestamp: at('09:00:06'), type: 'gemini', content, model: 'gemini-3-pro', ...more };
}

export function notice(id: string, type: string, content: unknown): Json {
  return { id, timestamp: at('09:00:07'), type, content };
}

/** A finished call; `output` is what the tool returned. */
export function call(id: string, name: string, more: Json = {}): Json {
  return {
    id,
    name,
    args: { path: 'src' },
    result: [answer(id, name, { output: 'done' })],
    status: 'success',
    timestamp: at('09:00:08'),
    displayName: name,
    ...more,
  };
}

export function answer(id: string, name: string, response: unknown): Json {
  return { functionResponse: { id, name, response } };
}

export function asked(id: string, name: string, args: unknown = { path: 'src' }): Json {
  return { functionCall: { id, name, args } };
}

export function set(facts: Json): Json {
  return { $set: facts };
}

export function messages(...list: readonly Json[]): Json {
  return set({ messages: list, lastUpdated: at('09:00:30') });
}

export function context(id: string): Json {
  return user(id, CONTEXT_TEXT, { timestamp: at('09:00:01') });
}

export interface Options {
  readonly path?: string;
  readonly given?: Partial<ParseContext>;
}

export const sessionSpec: LogSpec = specOf();

function specOf(): LogSpec {
  const spec = geminiCli.files.find(({ name }) => name === 'session');
  assert.ok(spec?.kind === 'log');
  return spec;
}

export function contextFor(options: Options = {}): FakeContext {
  return fakeContext(options.path ?? SESSION_PATH, { project: () => PROJECT, ...options.given });
}

/** Rows of a session file that holds these records, one a line; text stands for a raw line. */
export function rowsOf(records: readonly (Json | string)[], options: Options = {}): DraftRow[] {
  return parseLog(sessionSpec, linesOf(records), contextFor(options));
}

export function linesOf(records: readonly (Json | string)[]): Buffer {
  return Buffer.from(records.map((record) => `${textOf(record)}\n`).join(''));
}

export function textOf(record: Json | string): string {
  return typeof record === 'string' ? record : JSON.stringify(record);
}

/** `user: hello`: who or what, and the text. */
export function brief(row: DraftRow): string {
  return `${row.event ?? row.turn_type}: ${row.text}`;
}

const SETTING = new Set(['session.start', 'session.context', 'model.set']);

/** What a session says, without its start, its context and its first model. */
export function said(rows: readonly DraftRow[]): string[] {
  return rows.filter(({ event }) => !SETTING.has(event ?? '')).map(brief);
}

export function only(rows: readonly DraftRow[], kind: string): DraftRow[] {
  return rows.filter((row) => (row.event ?? row.turn_type) === kind);
}

export function one(rows: readonly DraftRow[], kind: string): DraftRow {
  const [row, ...more] = only(rows, kind);
  assert.ok(row, `no ${kind} row`);
  assert.equal(more.length, 0, `more than one ${kind} row`);
  return row;
}
