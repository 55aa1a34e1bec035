import assert from 'node:assert/strict';
import type { DraftRow } from '../../../agent/contract/row.ts';
import type { DocumentSpec, FileSpec, LogSpec, ParseContext } from '../../../agent/contract/source.ts';
import { kiroCli } from '../../../parsers/kiro-cli/index.ts';
import { draftId, fakeContext, parseFile } from '../support.ts';

export const SESSION_ID = 'c0de0001-1111-4000-8000-000000000001';
export const LOG_PATH = `sessions/cli/${SESSION_ID}.jsonl`;
export const HEADER_PATH = `sessions/cli/${SESSION_ID}.json`;
export const V3_ID = 'sess_c0de0003-1111-4000-8000-000000000001';
export const V3_PATH = `sessions/2af6b4a70d443ffd/${V3_ID}/messages.jsonl`;
export const CWD = '/home/alice/proj';

export type Json = Readonly<Record<string, unknown>>;

export function specFor(path: string): FileSpec {
  const spec = kiroCli.files.find((file) => file.matches(path));
  assert.ok(spec, path);
  return spec;
}

/** Rows of a file with this text; a list of records stands for their lines. */
export function parse(
  content: string | readonly (Json | string)[],
  path = LOG_PATH,
  given: Partial<ParseContext> = {},
): DraftRow[] {
  const text =
    typeof content === 'string'
      ? content
      : content.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  return parseFile(specFor(path), Buffer.from(text), fakeContext(path, { root: '.kiro', ...given }));
}

export function logSpec(path = LOG_PATH): LogSpec {
  const spec = specFor(path);
  assert.equal(spec.kind, 'log');
  return spec as LogSpec;
}

/** Reads the versions of one document one after the other, each with what was kept of the one before. */
export function versions(path: string, texts: readonly string[]): DraftRow[][] {
  const spec = specFor(path);
  assert.equal(spec.kind, 'document');
  let memory: string | undefined;
  return texts.map((text) => {
    const rows: DraftRow[] = [];
    const document = { bytes: Buffer.from(text), settled: true, memory };
    const result = (spec as DocumentSpec).parse(document, fakeContext(path), (row) => void rows.push(row));
    if (typeof result === 'object') memory = result.memory;
    return rows;
  });
}

export function prompt(text: string, seconds = 1_790_841_600, more: Json = {}): Json {
  return record('Prompt', {
    message_id: `u-${text}`,
    content: [{ kind: 'text', data: text }],
    meta: { timestamp: seconds },
    ...more,
  });
}

export function answer(id: string, ...content: readonly (Json | string)[]): Json {
  const blocks = content.map((block) => (typeof block === 'string' ? { kind: 'text', data: block } : block));
  return record('AssistantMessage', { message_id: id, content: blocks });
}

export function call(id: string, name = 'shell', input: unknown = { command: 'ls' }): Json {
  return { kind: 'toolUse', data: { toolUseId: id, name, input } };
}

export function result(id: string, content: unknown, status = 'success'): Json {
  const blocks = typeof content === 'string' ? [{ kind: 'text', data: content }] : content;
  return { kind: 'toolResult', data: { toolUseId: id, content: blocks, status } };
}

export function results(...content: readonly Json[]): Json {
  return record('ToolResults', { message_id: 'r1', content, results: {} });
}

export function record(kind: string, data: unknown): Json {
  return { version: 'v1', kind, data };
}

/** A record of the third engine. */
export function message(id: string, type: string, more: Json = {}, second = 1): Json {
  return {
    id,
    timestamp: `2026-10-01T09:00:${String(second).padStart(2, '0')}.000Z`,
    payload: { type, ...more },
  };
}

export interface HeaderFacts {
  readonly trusted?: readonly unknown[];
  readonly commands?: readonly string[];
  readonly readable?: readonly string[];
  readonly turns?: readonly Json[];
  readonly top?: Json;
  readonly state?: Json;
}

export function header(facts: HeaderFacts = {}): string {
  const { trusted = [], commands = [], readable = [CWD], turns = [], top, state } = facts;
  return JSON.stringify({
    session_id: SESSION_ID,
    cwd: CWD,
    created_at: '2026-10-01T08:00:00.123456789Z',
    updated_at: '2026-10-01T08:05:00Z',
    title: 'a title',
    session_state: {
      version: 'v1',
      conversation_metadata: { user_turn_metadatas: turns },
      permissions: {
        filesystem: { allowed_read_paths: readable, allowed_write_paths: [] },
        trusted_tools: trusted,
        denied_tools: [],
        allowed_commands: commands,
      },
      agent_name: null,
      ...state,
    },
    ...top,
  });
}

export function builtIn(...names: readonly string[]): Json[] {
  return names.map((name) => ({ BuiltIn: name }));
}

export function idOf(row: DraftRow): string {
  return draftId(kiroCli, row);
}

/** Turn type or event, and text, of each row. */
export function said(rows: readonly DraftRow[]): string[] {
  return rows.map(({ turn_type, event, text }) => `${event ?? turn_type}: ${text}`);
}

export function eventRows(rows: readonly DraftRow[], event: string): DraftRow[] {
  return rows.filter((row) => row.event === event);
}
