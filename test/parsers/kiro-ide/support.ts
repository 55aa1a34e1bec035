import assert from 'node:assert/strict';
import type { DraftRow } from '../../../agent/contract/row.ts';
import type {
  DocumentResult,
  DocumentSpec,
  ParseContext,
  SmallFiles,
  StandingEntry,
  StandingSpec,
} from '../../../agent/contract/source.ts';
import { kiroIde } from '../../../parsers/kiro-ide/index.ts';
import { METADATA, SAVES } from '../../../parsers/kiro-ide/paths.ts';
import { hash32 } from '../../../parsers/kiro-ide/workspace.ts';
import { draftId, type FakeContext, fakeContext } from '../support.ts';

export const SESSION = '5e55a000-1111-4000-8000-000000000001';
export const EXECUTION = '5e55a000-2222-4000-8000-000000000001';
export const PROJECT = '/home/alice/proj';
export const FOLDER = hash32(PROJECT);
export const WORKSPACE = `workspace-sessions/${Buffer.from(PROJECT).toString('base64url')}`;
export const SESSION_PATH = `${WORKSPACE}/${SESSION}.json`;
export const EXECUTION_PATH = executionPath(EXECUTION);
export const CHAT_PATH = `${FOLDER}/${hash32('chat')}.chat`;
export const METADATA_PATH = `${FOLDER}/${METADATA}`;
/** Start of the test execution, and the same as a row has it. */
export const START_MS = 1_790_841_600_000;
export const START = '2026-10-01T08:00:00.000Z';

export type Json = Readonly<Record<string, unknown>>;

export function executionPath(execution: string): string {
  return `${FOLDER}/${SAVES}/${hash32(execution)}`;
}

/** A store made of texts. */
export function store(files: Readonly<Record<string, unknown>>): SmallFiles {
  return {
    text(path) {
      const content = files[path];
      return content === undefined || typeof content === 'string' ? content : JSON.stringify(content);
    },
    list: (folder) => [
      ...new Set(
        Object.keys(files)
          .filter((path) => path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder.length + 1).split('/', 1)[0] ?? ''),
      ),
    ],
  };
}

export interface Parsed {
  readonly rows: readonly DraftRow[];
  readonly result: DocumentResult;
  readonly context: FakeContext;
}

interface Given {
  readonly files?: Readonly<Record<string, unknown>>;
  readonly memory?: string | undefined;
  readonly settled?: boolean;
}

/** Rows of a document with this content at this path; `files` lie beside it. */
export function parse(
  path: string,
  content: unknown,
  { files = {}, memory, settled = true }: Given = {},
): Parsed {
  const rows: DraftRow[] = [];
  const context = contextOf(path, files);
  const document = { bytes: bytesOf(content), settled, memory };
  const result = specOf<DocumentSpec>(path, 'document').parse(
    document,
    context,
    (row) => void rows.push(row),
  );
  return { rows, result, context };
}

/** Entries of a standing file. */
export function entries(path: string, content: unknown): readonly StandingEntry[] {
  const result = specOf<StandingSpec>(path, 'standing').read(
    { bytes: bytesOf(content), settled: true },
    contextOf(path, {}),
  );
  assert.equal(result.kind, 'entries');
  return result.kind === 'entries' ? result.entries : [];
}

export function contextOf(path: string, files: Readonly<Record<string, unknown>>): FakeContext {
  const small = store(files);
  const given: Partial<ParseContext> = {
    small,
    project: (recorded) => kiroIde.projectOf?.({ path, recorded }, small),
  };
  return fakeContext(path, given);
}

export function specOf<Spec extends { readonly kind: string }>(path: string, kind: Spec['kind']): Spec {
  const spec = kiroIde.files.find((file) => file.matches(path));
  assert.equal(spec?.kind, kind, path);
  return spec as unknown as Spec;
}

function bytesOf(content: unknown): Buffer {
  if (Buffer.isBuffer(content)) return content;
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
}

export function memoryIn({ result }: Parsed): string | undefined {
  return typeof result === 'string' ? undefined : result.memory;
}

/** A session with this history. */
export function session(history: readonly unknown[], more: Json = {}): Json {
  return { sessionId: SESSION, workspaceDirectory: PROJECT, history, ...more };
}

export function user(id: string, content: unknown, more: Json = {}): Json {
  return { message: { role: 'user', content, id }, ...more };
}

export function assistant(id: string, content: unknown, executionId?: string): Json {
  return { message: { role: 'assistant', content, id }, ...(executionId !== undefined && { executionId }) };
}

export function execution(actions: readonly Json[], more: Json = {}): Json {
  return {
    executionId: EXECUTION,
    chatSessionId: SESSION,
    workflowType: 'chat-agent',
    status: 'running',
    startTime: START_MS,
    actions,
    ...more,
  };
}

export function action(actionId: string, actionType: string, more: Json = {}): Json {
  return { actionId, actionType, ...more };
}

export function idOf(row: DraftRow): string {
  return draftId(kiroIde, row);
}

/** Turn type or event and text of the rows that come of themselves; copies are left out. */
export function said(rows: readonly DraftRow[]): string[] {
  return rows
    .filter(({ event, copyOf }) => copyOf === undefined && !BEGINNINGS.has(event ?? ''))
    .map(({ turn_type, event, text }) => `${event ?? turn_type}: ${text}`);
}

const BEGINNINGS = new Set(['session.start', 'session.turn']);

export function copies(rows: readonly DraftRow[]): string[] {
  return rows
    .filter(({ copyOf }) => copyOf !== undefined)
    .map(({ turn_type, text }) => `${turn_type}: ${text}`);
}

/** Texts of the rows that are left when copies whose name another row claims are dropped. */
export function left(rows: readonly DraftRow[]): string[] {
  const claimed = new Set(rows.flatMap(({ copyOf, claims = [] }) => (copyOf === undefined ? claims : [])));
  return rows
    .filter(({ turn_type, copyOf }) => turn_type !== 'system' && !claimed.has(copyOf ?? ''))
    .map(({ turn_type, text }) => `${turn_type}: ${text}`);
}

export function eventsOf(rows: readonly DraftRow[], event: string): DraftRow[] {
  return rows.filter((row) => row.event === event);
}
