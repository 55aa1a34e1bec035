import { toUtc } from '../shared/time.ts';
import { assistantName } from './claims.ts';
import { type Content, type FunctionCall, joined, readContent } from './content.ts';
import { isCompressionAck } from './machine-text.ts';
import { addModel } from './model.ts';
import { asList, asObject, asText, type RawCall, type RawMessage } from './records.ts';
import { currentRun, findRepeat, type Wanted } from './repeats.ts';
import { addResponses } from './responses.ts';
import { addRewrittenText } from './rewritten.ts';
import { partTime, recordTime } from './rows.ts';
import { addKey, addMessage, callOf, type Message, matchKey, type Scope, type Session } from './state.ts';
import { readThoughts, type Thought } from './thoughts.ts';
import { addCalls, addUse, callIdOf } from './tools.ts';
import { addTurn, startTurn, type Turn } from './turn.ts';

/** A gemini message, taken apart. */
export interface GeminiContent {
  readonly content: Content;
  /** The answer; rewritten copies hold it untrimmed, so it is trimmed like the first record. */
  readonly text: string;
  /** What identifies it in copies: its text, or its first thought when it has none. */
  readonly key: string;
}

/** Keeps the key of a thought apart from that of a text. */
const THOUGHT_MARK = '\u0001';

export function readGeminiContent(raw: RawMessage): GeminiContent {
  const content = readContent(raw.content);
  const text = typeof raw.content === 'string' ? raw.content : joined(content.texts, '').trim();
  const key = matchKey(text);
  return { content, text, key: key === '' ? thoughtKey(raw, content) : key };
}

function thoughtKey(raw: RawMessage, content: Content): string {
  const [first] = readThoughts(raw, content);
  return first ? THOUGHT_MARK + matchKey(first.text) : '';
}

export function isTextKey(key: string): boolean {
  return key !== '' && !key.startsWith(THOUGHT_MARK);
}

/** A gemini message as its own line. */
export function readGemini(scope: Scope, id: string, raw: RawMessage): void {
  const { session } = scope;
  const gemini = readGeminiContent(raw);
  const run = currentRun(session, toUtc(raw.timestamp));
  const known = session.messages.get(id) ?? (run && findRepeat(session, run, wantedGemini(raw, gemini)));
  if (known) {
    session.messages.set(id, known);
    addGemini(scope, known, { raw, gemini, isRewrite: known.id !== id });
    return;
  }
  session.run = undefined;
  if (run?.isCompression && isCompressionAck(gemini.text)) {
    addAcknowledgement(session, id, gemini);
    session.run = { ...run, isCompression: false };
    return;
  }
  addGemini(scope, addMessage(session, id, 'gemini'), { raw, gemini, isRewrite: false });
}

/** Remembered so that later copies of it are repeats; no row, since nobody said it. */
export function addAcknowledgement(session: Session, id: string, gemini: GeminiContent): void {
  const message = addMessage(session, id, 'gemini');
  message.isMachine = true;
  addKey(session, message, gemini.key);
}

export function wantedGemini(raw: RawMessage, gemini: GeminiContent): Wanted {
  return { role: 'gemini', keys: gemini.key === '' ? [] : [gemini.key], callIds: callIdsOf(raw, gemini) };
}

/** Ids of all calls that a message holds, in either form. */
export function callIdsOf(raw: RawMessage, { content }: GeminiContent): string[] {
  const ids = content.calls.map((call, index) => callIdOf(call.id, call.name, index));
  for (const [index, value] of asList(raw.toolCalls).entries()) {
    const call = asObject<RawCall>(value);
    if (call) ids.push(callIdOf(call.id, asText(call.name), index));
  }
  return ids;
}

interface GeminiPass {
  readonly raw: RawMessage;
  readonly gemini: GeminiContent;
  /** The program wrote the message again: text and thoughts may have another form, calls may be new. */
  readonly isRewrite: boolean;
}

/** Rows for whatever a gemini message holds that was not seen before. */
export function addGemini(scope: Scope, message: Message, { raw, gemini, isRewrite }: GeminiPass): void {
  const { session } = scope;
  const { content } = gemini;
  const time = recordTime(session, raw.timestamp);
  if (message.role === 'other') message.role = 'gemini';
  if (!isRewrite) addModel(scope, message, { model: raw.model, time });
  const turn = startTurn(scope, message, { time, tokens: raw.tokens });
  if (isBlank(message) || (!isRewrite && hasMoreThoughts(raw, message)))
    addThoughts(turn, readThoughts(raw, content), gemini.key);
  addAnswer(turn, gemini, isRewrite);
  addKey(session, message, gemini.key);
  addCalls(turn, raw.toolCalls);
  addContentCalls(turn, content.calls);
  addResponses(scope, message.id, { responses: content.responses, time });
}

function isBlank(message: Message): boolean {
  return message.keys.length === 0 && message.calls.size === 0;
}

function hasMoreThoughts(raw: RawMessage, message: Message): boolean {
  return asList(raw.thoughts).length > message.thoughts;
}

/** A message without text is known by its first thought, so that one claims the copies of all of them. */
function addThoughts(turn: Turn, thoughts: readonly Thought[], key: string): void {
  const { message, scope } = turn;
  const claims = isTextKey(key) ? undefined : [assistantName(scope.session.folder, key)];
  for (let index = message.thoughts; index < thoughts.length; index++) {
    const thought = thoughts[index];
    if (!thought) continue;
    const time = partTime(thought.timestamp, turn.time);
    addTurn(turn, { part: `thought:${index}`, turn: 'thinking', text: thought.text, time, claims });
  }
  message.thoughts = Math.max(message.thoughts, thoughts.length);
}

/** A text that a later version of the message changed is news too, but nobody said a rewritten one. */
function addAnswer(turn: Turn, { text, key }: GeminiContent, isRewrite: boolean): void {
  const { scope, message, time } = turn;
  if (!isTextKey(key) || message.keys.includes(key)) return;
  const isRevision = message.keys.some(isTextKey);
  const attributes = isRevision ? { revision: true } : undefined;
  const claims = [assistantName(scope.session.folder, key)];
  if (isRevision && isRewrite) addRewrittenText(scope, message, { text, time });
  else addTurn(turn, { part: 'text', turn: 'assistant', text, time, attributes, claims });
}

/** Calls in the content repeat those of toolCalls; one that is known nowhere in the session is news. */
function addContentCalls(turn: Turn, calls: readonly FunctionCall[]): void {
  const { session } = turn.scope;
  for (const [index, { id, name, args }] of calls.entries()) {
    const callId = callIdOf(id, name, index);
    if (session.byCall.has(callId)) continue;
    const call = callOf(session, turn.message, { id: callId, name });
    addUse(turn, call, { label: name, args, time: turn.time });
  }
}
