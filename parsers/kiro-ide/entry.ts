import { asList, asObject, asText } from '../shared/fields.ts';
import { fact } from '../shared/kiro/rows.ts';
import type { Time } from '../shared/time.ts';
import {
  answerName,
  messageName,
  promptName,
  promptOfExecution,
  stubName,
  textKey,
  typedFor,
} from './claims.ts';
import { addContextItems, addEditorText } from './editor-context.ts';
import { userText } from './machine-text.ts';
import { addRow, type RowFacts, recordName, type Scope, turnNames } from './rows.ts';
import { type ExecutionTimes, fileTime } from './times.ts';
import { compactJson, contentText, wordsOf } from './values.ts';

/** One entry of a history, as it stands there. */
export interface RawEntry {
  readonly message?: unknown;
  readonly executionId?: unknown;
  readonly promptLogs?: unknown;
  readonly contextItems?: unknown;
}

interface RawMessage {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly id?: unknown;
  readonly toolCalls?: unknown;
  readonly toolCallId?: unknown;
}

/** One entry of a history, with the execution that answers it. */
export interface Entry {
  readonly raw: RawEntry;
  readonly message: RawMessage;
  readonly role: string;
  readonly execution: string | undefined;
  readonly time: Time;
}

/** A prompt has the execution of the answer that follows it, and its time. */
export function createEntries(scope: Scope, raw: readonly RawEntry[], times: ExecutionTimes): Entry[] {
  const own = fileTime(scope.context);
  const entries: Entry[] = [];
  let following: string | undefined;
  for (const entry of raw.toReversed()) {
    const message = asObject<RawMessage>(entry.message) ?? (entry as RawMessage);
    const role = asText(message.role) ?? 'unknown';
    const execution = asText(entry.executionId) ?? following;
    following = role === 'user' ? undefined : execution;
    const time = execution === undefined ? undefined : times.startOf(execution);
    entries.push({ raw: entry, message, role, execution, time: time ?? own });
  }
  return entries.reverse();
}

/** Rows of one entry; gives the name by which it is known again. `migrated`: the session that holds a copy of it. */
export function tellEntry(scope: Scope, entry: Entry, migrated: string | undefined): string {
  const { role, message } = entry;
  const text = contentText(message.content);
  const id = idOf(message);
  const record = id === undefined ? recordName(scope, `entry ${role}`, textKey(text)) : `message ${id}`;
  const copyOf = migrated === undefined || id === undefined ? undefined : messageName(migrated, id);
  const told: Told = { scope, entry, record, text, copyOf };
  if (role === 'user') tellUser(told);
  else if (role === 'assistant') tellAssistant(told);
  else if (role === 'thinking') add(told, { part: 'text', turn: 'thinking', text });
  else if (role === 'tool') tellToolResult(told);
  else if (role !== 'system') scope.context.note('unknown_record');
  return record;
}

interface Told {
  readonly scope: Scope;
  readonly entry: Entry;
  readonly record: string;
  readonly text: string;
  /** Name of its copy in another store, which has a time. */
  readonly copyOf: string | undefined;
}

function idOf({ id }: RawMessage): string | undefined {
  return typeof id === 'number' && Number.isFinite(id) ? String(id) : asText(id);
}

function add(
  { scope, entry, record, copyOf }: Told,
  facts: Pick<RowFacts, 'part' | 'turn' | 'text'> & Partial<RowFacts>,
): void {
  if (facts.text.trim() === '') return;
  addRow(scope, { record, time: entry.time, ...facts, copyOf: copyOf ?? facts.copyOf });
}

function tellUser(told: Told): void {
  const { scope, entry, record, text } = told;
  const { typed, added } = userText(text);
  const { execution } = entry;
  const words = userText(wordsOf(entry.message.content)).typed;
  const claims = [
    ...[...new Set([words, typed])].flatMap((said) => [
      promptName(scope.session, said),
      ...turnNames(scope, 'user', said),
    ]),
    ...(execution === undefined ? [] : [promptOfExecution(execution), typedFor(execution)]),
  ];
  add(told, { part: 'text', turn: 'user', text: typed, claims, attributes: fact('execution_id', execution) });
  addEditorText(scope, { record, text: added, time: entry.time });
  addContextItems(scope, { record, items: entry.raw.contextItems, time: entry.time });
}

/** What stands in a session in place of an answer. */
function isStub(text: string): boolean {
  return text.trim() === '' || text.trim() === 'On it.';
}

function tellAssistant(told: Told): void {
  const { scope, entry, text } = told;
  const execution = asText(entry.raw.executionId);
  const texts = isStub(text) ? completionsOf(entry.raw) : [text];
  for (const [index, answer] of texts.entries()) {
    add(told, {
      part: index === 0 ? 'text' : `text:${index}`,
      turn: 'assistant',
      text: answer,
      attributes: fact('execution_id', execution),
      ...(execution === undefined
        ? { claims: [answerName(scope.session, answer), ...turnNames(scope, 'assistant', answer)] }
        : { copyOf: answerName(scope.session, answer) }),
    });
  }
  if (texts.length === 0) tellStub(told, execution);
  for (const call of asList(entry.message.toolCalls)) tellCall(told, asObject<RawCall>(call) ?? {});
}

/** Answers that the log of the prompt keeps although the entry itself is a stub. */
function completionsOf({ promptLogs }: RawEntry): string[] {
  return asList(promptLogs).flatMap(
    (log) => asText(asObject<{ completion?: unknown }>(log)?.completion) ?? [],
  );
}

/** It counts only when there is no file of the execution. */
function tellStub(told: Told, execution: string | undefined): void {
  if (execution === undefined) {
    add(told, { part: 'text', turn: 'assistant', text: told.text });
    return;
  }
  add(told, {
    part: 'stub',
    turn: 'assistant',
    text: told.text.trim() === '' ? `[answer in execution ${execution}]` : told.text,
    attributes: { execution_id: execution, incomplete: true },
    copyOf: stubName(execution),
  });
}

interface RawCall {
  readonly id?: unknown;
  readonly function?: unknown;
}

function tellCall(told: Told, call: RawCall): void {
  const { name, arguments: input } = asObject<{ name?: unknown; arguments?: unknown }>(call.function) ?? {};
  const tool = asText(name) ?? 'unknown tool';
  const args = typeof input === 'string' ? input : input === undefined ? '' : compactJson(input);
  const id = asText(call.id) ?? tool;
  add(told, { part: `call:${id}`, turn: 'tool_use', text: `${tool} ${args}`.trim(), tool, callId: id });
}

function tellToolResult(told: Told): void {
  const id = asText(told.entry.message.toolCallId);
  add(told, { part: `result:${id ?? ''}`, turn: 'tool_result', text: told.text, callId: id });
}
