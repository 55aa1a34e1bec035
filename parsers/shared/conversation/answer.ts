import type { Attributes } from '../../../agent/contract/row.ts';
import { asList, asObject, asText, type JsonObject } from '../fields.ts';
import { answerIdentity, callIdentity, thoughtIdentity } from '../kiro/identity.ts';
import { addRow } from '../kiro/rows.ts';
import { compactJson } from '../kiro/values.ts';
import type { Time } from '../time.ts';
import { type EntryScope, nthName } from './state.ts';

interface RawCall {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly orig_name?: unknown;
  readonly args?: unknown;
  readonly orig_args?: unknown;
}

/** The answer of one entry: what was thought, said and asked for. */
interface Answer {
  /** Its message id, or a name by the time of what it answers. */
  readonly id: string;
  readonly time: Time;
  readonly model: string | undefined;
}

export function readAnswer(scope: EntryScope, data: JsonObject, answer: Omit<Answer, 'id'>): void {
  if (scope.message === undefined && scope.ownTime.utc === null) scope.talk.hasUntimed = true;
  const id = scope.message ?? `reply ${scope.ownTime.utc ?? '-'}`;
  const whole = { ...answer, id };
  addThought(scope, data['thinking'], whole);
  addText(scope, asText(data['content']) ?? '', whole);
  for (const value of asList(data['tool_uses'])) addCall(scope, asObject<RawCall>(value) ?? {}, whole);
}

function addThought(scope: EntryScope, thinking: unknown, { id, time, model }: Answer): void {
  const { text, redactedContent } = asObject<{ text?: unknown; redactedContent?: unknown }>(thinking) ?? {};
  const hidden = asList(redactedContent).length;
  const shown = asText(text) ?? asText(thinking) ?? (hidden > 0 ? `[redacted, ${hidden} bytes]` : '');
  if (shown === '') return;
  const identity = thoughtIdentity(scope.talk.id, id);
  const part = nthName(scope.talk, identity.part, `${id} thought ${shown}`);
  addRow(scope, { ...identity, part, turn: 'thinking', text: shown, time, model });
}

function addText(scope: EntryScope, text: string, { id, time, model }: Answer): void {
  if (text === '') return;
  const identity = answerIdentity(scope.talk.id, id);
  const part = nthName(scope.talk, identity.part, `${id} text ${text}`);
  addRow(scope, {
    ...identity,
    part,
    turn: 'assistant',
    text,
    time,
    model: scope.message === undefined ? undefined : model,
    attributes: scope.message === undefined && scope.talk.hasTimes ? { synthetic: true } : {},
  });
}

function addCall(scope: EntryScope, raw: RawCall, { id, time, model }: Answer): void {
  const { talk } = scope;
  const callId = asText(raw.id) ?? '-';
  const { name, args, attributes } = originalOf(raw);
  talk.calls.set(callId, { name, message: id });
  const identity = callIdentity(talk.id, id, callId);
  addRow(scope, {
    ...identity,
    part: nthName(talk, identity.part, `${id} ${identity.part}`),
    turn: 'tool_use',
    text: args === undefined || args === null ? '' : compactJson(args),
    time,
    model,
    tool: name,
    callId,
    attributes,
  });
}

/** A tool that is not there any more is renamed in place; what the model asked for stands beside it. */
function originalOf({ name, orig_name, args, orig_args }: RawCall): {
  readonly name: string;
  readonly args: unknown;
  readonly attributes: Attributes;
} {
  const [own, original] = [asText(name), asText(orig_name)];
  if (own === 'dummy' && original !== undefined)
    return { name: original, args: orig_args ?? args, attributes: { unavailable_tool: true } };
  const differs = original !== undefined && original !== own;
  return { name: own ?? 'unknown', args, attributes: differs ? { original_name: original } : {} };
}
