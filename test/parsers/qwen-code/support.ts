import assert from 'node:assert/strict';
import type { DraftRow } from '../../../agent/contract/row.ts';
import type { DocumentSpec, LogSpec, StandingSpec } from '../../../agent/contract/source.ts';
import { qwenCode } from '../../../parsers/qwen-code/index.ts';
import { draftId, type FakeContext, fakeContext, parseLog } from '../support.ts';

export const SESSION_ID = 'c0de0001-1111-4000-8000-000000000001';
export const OTHER_ID = 'c0de0001-2222-4000-8000-000000000002';
export const SESSION_PATH = `projects/-home-alice-proj/chats/${SESSION_ID}.jsonl`;
export const SUBAGENT_PATH = `projects/-home-alice-proj/subagents/${SESSION_ID}/agent-explore-call_qwen_1.jsonl`;
export const PROJECT = '/home/alice/proj';

export type Json = Readonly<Record<string, unknown>>;

/** Record id number n, as random as the program's. */
export function uuid(n: number): string {
  return `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** Record n of the test session, hanging on the one before. */
export function record(n: number, type: string, more: Json = {}): Json {
  return {
    uuid: uuid(n),
    parentUuid: n > 1 ? uuid(n - 1) : null,
    sessionId: SESSION_ID,
    timestamp: at(n),
    type,
    cwd: PROJECT,
    version: '0.24.4',
    gitBranch: 'main',
    ...more,
  };
}

export function at(n: number): string {
  return `2026-10-01T09:00:${String(n).padStart(2, '0')}.000Z`;
}

export function user(n: number, text: string, more: Json = {}): Json {
  return record(n, 'user', { message: { role: 'user', parts: [{ text }] }, ...more });
}

/** An answer; text becomes one part, a list stands for the parts themselves. */
export function assistant(n: number, content: string | readonly Json[], more: Json = {}): Json {
  const parts = typeof content === 'string' ? [{ text: content }] : content;
  return record(n, 'assistant', { model: 'qwen3-coder-plus', message: { role: 'model', parts }, ...more });
}

export function call(id: string, name = 'run_shell_command', args: unknown = { command: 'ls' }): Json {
  return { functionCall: { id, name, args } };
}

/** What a call gave back; `end` is the program's own account of it. */
export function result(n: number, response: unknown, end: Json = {}, name = 'run_shell_command'): Json {
  const callId = String(end['callId'] ?? 'call_qwen_1');
  return record(n, 'tool_result', {
    message: { role: 'user', parts: [{ functionResponse: { id: callId, name, response } }] },
    toolCallResult: { callId, ...end },
  });
}

export function system(n: number, subtype: string, systemPayload: unknown, more: Json = {}): Json {
  return record(n, 'system', { subtype, systemPayload, ...more });
}

export interface Parsed {
  readonly rows: readonly DraftRow[];
  readonly context: FakeContext;
}

/** Rows of a session file with these records, one a line; text stands for itself. */
export function parse(lines: readonly (Json | string)[], path = SESSION_PATH): Parsed {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  return parseText(text, path);
}

export function parseText(text: string, path = SESSION_PATH): Parsed {
  const context = fakeContext(path);
  return { rows: parseLog(logSpec(path), Buffer.from(text), context), context };
}

export function logSpec(path: string): LogSpec {
  const spec = specFor(path);
  assert.equal(spec.kind, 'log');
  return spec as LogSpec;
}

export function documentSpec(path: string): DocumentSpec {
  const spec = specFor(path);
  assert.equal(spec.kind, 'document');
  return spec as DocumentSpec;
}

export function standingSpec(path: string): StandingSpec {
  const spec = specFor(path);
  assert.equal(spec.kind, 'standing');
  return spec as StandingSpec;
}

function specFor(path: string) {
  const spec = qwenCode.files.find((file) => file.matches(path));
  assert.ok(spec, path);
  return spec;
}

export function idOf(row: DraftRow): string {
  return draftId(qwenCode, row);
}

/** Turn type and text of each row, without the one that every session begins with. */
export function said(rows: readonly DraftRow[]): string[] {
  return rows
    .filter(({ event }) => event !== 'session.start' && event !== 'model.set')
    .map(({ turn_type, event, text }) => `${event ?? turn_type}: ${text}`);
}

export function eventRows(rows: readonly DraftRow[], event: string): DraftRow[] {
  return rows.filter((row) => row.event === event);
}

/** The one row of an event. */
export function eventRow(rows: readonly DraftRow[], event: string): DraftRow {
  const [row, ...more] = eventRows(rows, event);
  assert.ok(row && more.length === 0, `${event}: ${more.length + (row ? 1 : 0)} rows`);
  return row;
}
