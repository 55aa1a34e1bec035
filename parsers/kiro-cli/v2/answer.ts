import { hash } from 'node:crypto';
import type { Attributes } from '../../../agent/contract/row.ts';
import { asList, asObject, asText, type JsonObject } from '../../shared/fields.ts';
import { answerIdentity, callIdentity, thoughtIdentity } from '../../shared/kiro/identity.ts';
import { createRepeats, type Repeats } from '../../shared/kiro/repeats.ts';
import { addEvent, addRow, fact } from '../../shared/kiro/rows.ts';
import { derived } from '../../shared/kiro/time.ts';
import { compactJson, imageText } from '../../shared/kiro/values.ts';
import { cleanText } from '../../shared/text.ts';
import { messageId, rememberCall, type Scope } from './state.ts';

interface RawBlock {
  readonly kind?: unknown;
  readonly data?: unknown;
}

interface RawThinking {
  readonly text?: unknown;
  readonly redactedContent?: unknown;
  readonly modelId?: unknown;
}

interface RawCall {
  readonly toolUseId?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
}

/** One answer being read. */
interface Answer {
  readonly id: string;
  readonly calls: readonly string[];
  /** Tells apart blocks that say the same. */
  readonly repeats: Repeats;
  /** Place of the block being read. */
  readonly place: number;
}

/** What the model said, thought and asked for. It has no time of its own; that of the prompt before is the nearest. */
export function readAnswer(scope: Scope, data: JsonObject): void {
  const blocks = asList(data['content']).map((value) => asObject<RawBlock>(value) ?? {});
  const calls = blocks.flatMap(({ kind, data: call }) => (kind === 'toolUse' ? [callId(call)] : []));
  const id = messageId(data) ?? `content:${hash('sha256', compactJson(data), 'hex').slice(0, 32)}`;
  const answer = { id, calls, repeats: createRepeats() };
  for (const [place, { kind, data: block }] of blocks.entries()) {
    if (kind === 'thinking') addThought(scope, { ...answer, place }, asObject<RawThinking>(block) ?? {});
    else if (kind === 'toolUse') addCall(scope, { ...answer, place }, asObject<RawCall>(block) ?? {});
    else addText(scope, { ...answer, place }, kind === 'image' ? imageText(block) : (asText(block) ?? ''));
  }
}

function addText(scope: Scope, { id, repeats, place }: Answer, text: string): void {
  if (text === '') return;
  const { log } = scope;
  const identity = answerIdentity(log.id, id);
  addRow(scope, {
    ...identity,
    part: repeats.name(identity.part, `text ${text}`, String(place)),
    turn: 'assistant',
    text,
    time: derived(log.time),
    model: log.model,
  });
}

function addThought(scope: Scope, { id, repeats, place }: Answer, raw: RawThinking): void {
  const { text, redactedContent, modelId } = raw;
  const { log } = scope;
  noteModel(scope, id, asText(modelId));
  const hidden = asList(redactedContent).length;
  const shown = asText(text) ?? (hidden > 0 ? `[redacted, ${hidden} bytes]` : '');
  if (shown === '') return;
  const identity = thoughtIdentity(log.id, id);
  addRow(scope, {
    ...identity,
    part: repeats.name(identity.part, `thought ${shown}`, String(place)),
    turn: 'thinking',
    text: shown,
    time: derived(log.time),
    model: log.model,
  });
}

/** Only newer releases name the model here; the session's header has it for all of them. */
function noteModel(scope: Scope, id: string, model: string | undefined): void {
  const { log } = scope;
  if (model === undefined || model === log.model) return;
  const old = log.model;
  log.model = cleanText(model);
  addEvent(scope, old === undefined ? 'model.set' : 'model.change', {
    record: id,
    part: 'model',
    text: old === undefined ? `model: ${model}` : `model: ${old} -> ${model}`,
    time: derived(log.time),
    model,
    attributes: { model, ...fact('old_model', old) },
  });
}

function addCall(scope: Scope, { id, calls, repeats, place }: Answer, call: RawCall): void {
  const { log } = scope;
  const name = asText(call.name) ?? 'unknown';
  const callKey = callId(call);
  rememberCall(log, callKey, { name, message: id, siblings: calls });
  const input = asObject(call.input);
  const identity = callIdentity(log.id, id, callKey);
  addRow(scope, {
    ...identity,
    part: repeats.name(identity.part, identity.part, String(place)),
    turn: 'tool_use',
    text: call.input === undefined ? '' : compactJson(withoutPurpose(input) ?? call.input),
    time: derived(log.time),
    model: log.model,
    tool: name,
    callId: callKey,
    attributes: purposeOf(input),
  });
}

function callId(call: unknown): string {
  return asText(asObject<RawCall>(call)?.toolUseId) ?? '-';
}

const PURPOSE = '__tool_use_purpose';

function purposeOf(input: JsonObject | undefined): Attributes {
  return fact('purpose', asText(input?.[PURPOSE]));
}

function withoutPurpose(input: JsonObject | undefined): JsonObject | undefined {
  if (!input || !Object.hasOwn(input, PURPOSE)) return input;
  return Object.fromEntries(Object.entries(input).filter(([key]) => key !== PURPOSE));
}
