import { cleanText } from '../shared/text.ts';
import type { Time } from '../shared/time.ts';
import { type GeminiContent, isTextKey, readGeminiContent } from './gemini.ts';
import { readMessage } from './message.ts';
import { asId, asList, asObject, isMessage, type RawCall, type RawMessage } from './records.ts';
import { type Result, readResult } from './result.ts';
import { addEvent, eventTime } from './rows.ts';
import { type Call, isConversation, type Message, type Scope, type Session } from './state.ts';
import { addResult } from './tools.ts';
import { readKnownUser, readUserContent } from './user.ts';

/** `$patch`, written by releases after 0.61 in place of `$set.messages` (source read, never observed). */
export interface RawPatch extends RawUpdate {
  readonly updates?: unknown;
  readonly removeIds?: unknown;
  readonly orderIds?: unknown;
}

/** What changes in one message: its content, or results of its calls. */
interface RawUpdate {
  readonly id?: unknown;
  readonly content?: unknown;
  readonly toolCalls?: unknown;
}

export function readPatch(scope: Scope, raw: RawPatch): void {
  const { session } = scope;
  const time = eventTime(session, undefined);
  for (const update of updatesOf(raw)) {
    if (isMessage(update)) readMessage(scope, update);
    else updateMessage(scope, update, time);
  }
  if (raw.removeIds === undefined && raw.orderIds === undefined) return;
  session.run = undefined;
  removeMessages(scope, asList(raw.removeIds), time);
  reorder(session, asList(raw.orderIds));
}

function updatesOf(raw: RawPatch): (RawUpdate & RawMessage)[] {
  const listed = asObject<Record<string, unknown>>(raw.updates);
  const values = listed ? Object.values(listed) : asList(raw.updates);
  const updates = values.flatMap((value) => asObject<RawUpdate & RawMessage>(value) ?? []);
  return asId(raw.id) === undefined ? updates : [raw, ...updates];
}

function updateMessage(scope: Scope, update: RawUpdate, time: Time): void {
  const message = messageOf(scope.session, update.id);
  if (!message) return;
  const changes: string[] = [];
  if (update.content !== undefined) patchContent(scope, message, { content: update.content, time, changes });
  for (const value of asList(update.toolCalls)) {
    const call = asObject<RawCall>(value);
    if (call) patchCall(scope, message, { call, time, changes });
  }
  if (changes.length > 0) addPatched(scope, message, { changes, time });
}

function messageOf(session: Session, value: unknown): Message | undefined {
  const id = asId(value);
  const message = id === undefined ? undefined : session.messages.get(id);
  if (!message) session.context.note('unknown_patch_target');
  return message;
}

function addPatched(scope: Scope, message: Message, facts: { changes: readonly string[]; time: Time }): void {
  addEvent(scope, 'session.patched', {
    record: message.id,
    text: `message ${message.id} patched: ${facts.changes.join('; ')}`,
    time: facts.time,
    attributes: { message: cleanText(message.id), changes: facts.changes.length },
  });
}

interface ContentPatch {
  readonly content: unknown;
  readonly time: Time;
  readonly changes: string[];
}

/** The same text in another form is no change: a resume turns strings into lists of parts. */
function patchContent(scope: Scope, message: Message, { content, time, changes }: ContentPatch): void {
  if (message.role === 'gemini') patchAnswer(message, readGeminiContent({ content }), changes);
  else patchPrompt(scope, message, { content, time, changes });
}

function patchAnswer(message: Message, { text, key, content }: GeminiContent, changes: string[]): void {
  if (isTextKey(key) && !message.keys.includes(key)) changes.push(`content replaced: ${text}`);
  else if (key === '' && content.calls.length === 0 && message.keys.some(isTextKey))
    changes.push('content removed');
}

function patchPrompt(scope: Scope, message: Message, { content, time, changes }: ContentPatch): void {
  const user = readUserContent({ content });
  const isEmpty = user.keys.length === 0 && user.machine.length === 0;
  if (isEmpty && message.keys.length > 0) changes.push('content removed');
  else readKnownUser(scope, message, { user, time, isRewrite: true });
}

interface CallPatch {
  readonly call: RawCall;
  readonly time: Time;
  readonly changes: string[];
}

/** Old results are masked to save space for the model: removed, or put in other words. */
function patchCall(scope: Scope, message: Message, patch: CallPatch): void {
  const callId = asId(patch.call.id) ?? '';
  const call = message.calls.get(callId);
  const value = patch.call.result;
  const result = Array.isArray(value) && value.length === 0 ? undefined : readResult(value, callId);
  if (!call) scope.session.context.note('unknown_patch_target');
  else if (call.hasResult) noteMasked(call, { callId, result, changes: patch.changes });
  else if (result) {
    addResult(scope, call, {
      record: message.id,
      model: message.model,
      status: undefined,
      result,
      time: patch.time,
    });
  }
}

interface Masked {
  readonly callId: string;
  readonly result: Result | undefined;
  readonly changes: string[];
}

function noteMasked(call: Call, { callId, result, changes }: Masked): void {
  const chars = result?.text.length ?? 0;
  if (chars === call.resultChars) return;
  changes.push(`result of ${callId} ${result ? 'replaced' : 'removed'}`);
  call.resultChars = chars;
}

function removeMessages(scope: Scope, ids: readonly unknown[], time: Time): void {
  const { session } = scope;
  const removed: Message[] = [];
  for (const value of ids) {
    const message = typeof value === 'string' ? session.messages.get(value) : undefined;
    if (!message || message.order < 0) continue;
    message.order = -1;
    if (isConversation(message)) removed.push(message);
  }
  if (removed.length === 0) return;
  addEvent(scope, 'session.history_replaced', {
    record: 'history',
    content: removed.map(({ id }) => id).join(' '),
    text: `history replaced: ${removed.length} removed`,
    time,
    attributes: { removed: removed.length },
  });
}

/** The listed messages go to the end in this order. */
function reorder(session: Session, ids: readonly unknown[]): void {
  for (const value of ids) {
    const message = typeof value === 'string' ? session.messages.get(value) : undefined;
    if (!message) continue;
    message.order = session.live.length;
    session.live.push(message);
  }
}
