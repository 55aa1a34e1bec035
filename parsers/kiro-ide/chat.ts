import type { Emit, TurnType } from '../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../agent/contract/source.ts';
import { asObject, asText, type JsonObject } from '../shared/fields.ts';
import { addBad, fact } from '../shared/kiro/rows.ts';
import type { Time } from '../shared/time.ts';
import { chatName, chatTurnName, promptOfExecution, stubName, textKey } from './claims.ts';
import { addEditorText } from './editor-context.ts';
import { readObject } from './json-document.ts';
import { isAcknowledgement, userText } from './machine-text.ts';
import { SAVES } from './paths.ts';
import { addEvent, addRow, createScope, guarded, recordName, type Scope } from './rows.ts';
import { tellModel } from './session-facts.ts';
import { fileTime, timeOf } from './times.ts';
import { contentText } from './values.ts';
import { hash32, hasSessions } from './workspace.ts';

/** One `.chat` file being read. */
interface Chat {
  readonly scope: Scope;
  readonly execution: string;
  readonly folder: string;
  readonly time: Time;
  readonly model: string | undefined;
  /** Whether newer files of the workspace tell the same: then this one is only read for what they lack. */
  readonly isCopy: boolean;
  /** Whether the execution has a file of its own, which tells everything. */
  readonly hasExecution: boolean;
}

/**
 * Parser of `<workspace>/<name>.chat`: the conversation up to one execution, instructions for the model included. Each
 * file repeats what came before, and several files can be snapshots of one execution.
 */
export function parseChat(document: Document, context: ParseContext, emit: Emit): DocumentResult {
  const read = readObject(document, { list: 'chat', what: 'a chat' });
  if (read.kind === 'torn') return 'torn';
  if (read.kind === 'refused') {
    if (read.row) emit({ ...read.row, project_path: context.project(undefined) ?? null });
    return 'parsed';
  }
  const { value, bytes, cut } = read;
  const execution = asText(value['executionId']);
  if (execution === undefined || !Array.isArray(value['chat'])) {
    context.note('unknown_record');
    return 'parsed';
  }
  const chat = openChat(value, execution, { context, emit });
  const turns = readTurns(value['chat']);
  guarded(chat.scope, bytes, () => tellStart(chat, value, turns));
  const own = turns.findLastIndex(({ role }) => role === 'user');
  for (const [index, turn] of turns.entries())
    guarded(chat.scope, bytes, () => tellTurn(chat, turn, index >= own));
  if (cut) addBad(chat.scope, cut);
  return 'parsed';
}

function openChat(
  value: JsonObject,
  execution: string,
  { context, emit }: { readonly context: ParseContext; readonly emit: Emit },
): Chat {
  const folder = context.path.split('/', 1)[0] ?? '';
  const metadata = asObject(value['metadata']) ?? {};
  const started = timeOf(metadata['startTime']);
  const executions = context.small.list(`${folder}/${SAVES}`);
  return {
    scope: createScope({ context, emit, session: execution, project: context.project(undefined) }),
    execution,
    folder,
    time: started.utc === null ? fileTime(context) : { utc: started.utc, source: 'derived' },
    model: asText(metadata['modelId']),
    isCopy: executions.length > 0 || hasSessions(context.small, folder),
    hasExecution: executions.includes(hash32(execution)),
  };
}

interface Turn {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** What an editor added to it. */
  readonly added: string;
}

const ROLES: Readonly<Record<string, Turn['role']>> = { human: 'user', bot: 'assistant', tool: 'tool' };

/** Without the instructions for the model and the fixed answer to those at the beginning. */
function readTurns(chat: readonly unknown[]): Turn[] {
  const turns: Turn[] = [];
  for (const value of chat) {
    const turn = readTurn(value);
    const isFirst = !turns.some(({ text }) => text !== '');
    if (turn && !(isFirst && turn.role === 'assistant' && isAcknowledgement(turn.text))) turns.push(turn);
  }
  return turns;
}

function readTurn(value: unknown): Turn | undefined {
  const { role: named, content } = asObject<{ role?: unknown; content?: unknown }>(value) ?? {};
  const role = typeof named === 'string' && Object.hasOwn(ROLES, named) ? ROLES[named] : undefined;
  const text = contentText(content);
  if (role === undefined || text.trim() === '') return undefined;
  if (role !== 'user') return { role, text, added: '' };
  const { typed, added } = userText(text);
  return typed === '' && added === '' ? undefined : { role, text: typed, added };
}

function tellStart(chat: Chat, value: JsonObject, turns: readonly Turn[]): void {
  const { scope, execution, time, model, isCopy } = chat;
  if (chat.hasExecution) return;
  const metadata = asObject(value['metadata']) ?? {};
  const workflow = asText(metadata['workflow']);
  addEvent(scope, 'session.start', {
    record: 'chat',
    content: '',
    text: `session started: ${workflow ?? 'chat'} (execution ${execution})`,
    time: time.source === 'derived' ? { utc: time.utc, source: 'record' } : time,
    model,
    attributes: {
      execution_id: execution,
      ...fact('workflow', workflow),
      ...fact('model_provider', asText(metadata['modelProvider'])),
    },
    claims: turns.some(({ role }) => role === 'assistant') ? [stubName(execution)] : [],
  });
  if (model !== undefined && !isCopy) tellModel(scope, model, { old: undefined, changes: 0, time });
}

const TURN_TYPES: Readonly<Record<Turn['role'], TurnType>> = {
  user: 'user',
  assistant: 'assistant',
  tool: 'tool_result',
};

/**
 * The last prompt and what follows it are of this execution. What is before it stands in earlier files, too; where
 * those are gone, all later ones give the same row for it.
 */
function tellTurn(chat: Chat, { role, text, added }: Turn, isOwn: boolean): void {
  const { scope, execution, folder, time, model, isCopy } = chat;
  const record = recordName(scope, `chat ${role}`, textKey(text));
  // Among chats alone the same words are told apart by how often they came before; sessions do not know that.
  const name = isCopy ? chatTurnName(folder, role, text) : `turn ${folder} ${record}`;
  addEditorText(scope, { record, text: added, time });
  if (text.trim() === '') return;
  addRow(scope, {
    record,
    part: 'text',
    turn: TURN_TYPES[role],
    text,
    time,
    model: role === 'assistant' ? model : undefined,
    attributes: { execution_id: execution },
    ...(isOwn
      ? { claims: [name], copyOf: ownName(chat, role, isCopy) }
      : { sessionKey: `turns ${folder}`, copyOf: name }),
  });
}

function ownName({ execution }: Chat, role: Turn['role'], isCopy: boolean): string | undefined {
  if (!isCopy) return undefined;
  return role === 'user' ? promptOfExecution(execution) : chatName(execution);
}
