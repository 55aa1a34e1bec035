import type { Attributes } from '../../../agent/contract/row.ts';
import { asList, asObject, asText, type JsonObject } from '../fields.ts';
import { decisionIdentity } from '../kiro/identity.ts';
import { addEvent, addRow, fact } from '../kiro/rows.ts';
import { compactJson } from '../kiro/values.ts';
import type { Call, Pending, Scope } from './state.ts';

const APPROVAL = 'tool_approval';

/** A question to the user: whether a call may run, or anything else. */
export function readPending(scope: Scope, payload: JsonObject): void {
  const { log } = scope;
  const id = asText(payload['toolCallId']) ?? scope.id;
  const question = asText(payload['question']) ?? '';
  const type = asText(payload['interactionType']) ?? APPROVAL;
  log.pending.set(id, { time: scope.time, question });
  addEvent(scope, 'permission.decision', {
    sessionKey: log.key,
    record: scope.id,
    part: 'pending',
    text: type === APPROVAL ? `permission decision: awaiting_approval: ${question}` : `question: ${question}`,
    time: scope.time,
    callId: id,
    tool: log.calls.get(id)?.name,
    attributes: {
      decision: type === APPROVAL ? 'awaiting_approval' : 'question',
      interaction: type,
      question,
      ...optionFacts(payload['options']),
      ...fact('execution_id', asText(payload['executionId'])),
    },
  });
}

function optionFacts(options: unknown): Attributes {
  const ids = asList(options).flatMap(
    (option) => asText(asObject<{ optionId?: unknown }>(option)?.optionId) ?? [],
  );
  return ids.length === 0 ? {} : { options: ids.join(',') };
}

/** What an option of an approval decides, for this call and for later ones. */
const OPTIONS: Readonly<Record<string, { readonly word: string; readonly facts: Attributes }>> = {
  accept: { word: 'approved', facts: { decision: 'approved' } },
  'always-accept': { word: 'approved', facts: { decision: 'approved', standing: 'allow' } },
  reject: { word: 'denied', facts: { decision: 'user_denied' } },
  'always-reject': { word: 'denied', facts: { decision: 'user_denied', standing: 'deny' } },
};

/** The answer to a question, and how long it took. A standing one also changes `permissions.yaml`: one click, two files. */
export function readResolved(scope: Scope, payload: JsonObject): void {
  const { log } = scope;
  const id = asText(payload['toolCallId']) ?? scope.id;
  const selected = asText(payload['selectedOption']) ?? '';
  const pending = log.pending.get(id);
  log.pending.delete(id);
  const option = Object.hasOwn(OPTIONS, selected) ? OPTIONS[selected] : undefined;
  const facts = { ...latencyOf(scope, pending), ...fact('question', pending?.question) };
  if (option) addDecision(scope, { id, selected, option, facts });
  else addAnswer(scope, { id, payload, facts });
}

interface Decided {
  readonly id: string;
  readonly selected: string;
  readonly option: { readonly word: string; readonly facts: Attributes };
  readonly facts: Attributes;
}

function addDecision(scope: Scope, { id, selected, option, facts }: Decided): void {
  const { log } = scope;
  const call: Call | undefined = log.calls.get(id);
  log.decided.add(id);
  const identity = decisionIdentity(log.key, call?.message ?? id, id);
  const isStanding = selected.startsWith('always-');
  addRow(scope, {
    ...identity,
    part: log.repeats.name(identity.part, `${id} decision`, scope.id),
    turn: 'system',
    event: 'permission.decision',
    text: `permission decision: ${option.word} by=user${isStanding ? ' for good' : ''}${call ? ` tool=${call.name}` : ''}`,
    time: scope.time,
    tool: call?.name,
    callId: id,
    attributes: {
      ...option.facts,
      by: 'user',
      option: selected,
      ...(isStanding && { standing_file: 'permissions.yaml' }),
      ...facts,
    },
  });
}

function addAnswer(
  scope: Scope,
  { id, payload, facts }: { id: string; payload: JsonObject; facts: Attributes },
): void {
  const { log } = scope;
  const selected = payload['selectedOption'];
  const answer =
    asText(selected) ?? asText(payload['answer']) ?? (selected === undefined ? '' : compactJson(selected));
  const outcome = asText(payload['outcome']) ?? 'resolved';
  addEvent(scope, 'permission.decision', {
    sessionKey: log.key,
    record: scope.id,
    part: 'resolved',
    text: `question ${outcome}: ${answer}`,
    time: scope.time,
    callId: id,
    tool: log.calls.get(id)?.name,
    attributes: { decision: 'answered', outcome, ...facts },
  });
}

function latencyOf({ time }: Scope, pending: Pending | undefined): Attributes {
  const [asked, answered] = [pending?.time.utc, time.utc];
  if (!asked || !answered) return {};
  return { latency_ms: Date.parse(answered) - Date.parse(asked) };
}
