import type { Attributes } from '../../agent/contract/row.ts';
import { cleanText } from '../shared/text.ts';
import { type Time, utcOfMs } from '../shared/time.ts';
import { callName, resultName } from './claims.ts';
import { decisionOf } from './permission.ts';
import { asList, asObject, asText, type RawCall } from './records.ts';
import { type Result, readResult } from './result.ts';
import { addRow, partTime } from './rows.ts';
import { type Call, callOf, type Scope } from './state.ts';
import { addTurn, type Turn } from './turn.ts';

/** Rows of the calls of a message: those that are new, and new results of known ones. */
export function addCalls(turn: Turn, toolCalls: unknown): void {
  for (const [index, value] of asList(toolCalls).entries()) {
    const raw = asObject<RawCall>(value);
    if (raw) addCall(turn, raw, index);
    else turn.scope.session.context.note('unknown_call');
  }
}

function addCall(turn: Turn, raw: RawCall, index: number): void {
  const { scope, message } = turn;
  const name = asText(raw.name);
  const id = callIdOf(raw.id, name, index);
  const call = callOf(scope.session, message, { id, name });
  if (call.isUsed && call.hasResult) return;
  const time = partTime(raw.timestamp, turn.time);
  const agent = asText(raw.agentId);
  if (!call.isUsed)
    addUse(turn, call, { label: asText(raw.displayName) ?? name, args: raw.args, agent, time });
  if (call.hasResult) return;
  const status = asText(raw.status);
  const result = isPending(raw.result, status) ? undefined : readResult(raw.result, id);
  const facts = { record: message.id, model: message.model, status, agent, time };
  if (result) addResult(scope, call, { ...facts, result });
  else addDecision(scope, call, facts);
}

/** An id from the record, or one made of name and place: an old release or another writer may leave it out. */
export function callIdOf(id: unknown, name: string | undefined, index: number): string {
  return asText(id) ?? `${name ?? 'call'}_${index}`;
}

interface Use {
  readonly label: string | undefined;
  readonly args: unknown;
  readonly agent?: string | undefined;
  readonly time: Time;
}

/** Row of a call that was not seen before. */
export function addUse(turn: Turn, call: Call, use: Use): void {
  call.isUsed = true;
  const label = use.label ?? 'unknown tool';
  const args = use.args === undefined ? undefined : JSON.stringify(use.args);
  addTurn(turn, {
    part: `call:${call.id}`,
    turn: 'tool_use',
    text: args === undefined ? label : `${label} ${args}`,
    time: use.time,
    tool: call.name,
    callId: call.id,
    claims: [callName(turn.scope.session.folder, call.id)],
    attributes: useAttributes(call, use.agent),
  });
}

interface ResultFacts {
  readonly record: string;
  readonly model: string | undefined;
  readonly status: string | undefined;
  readonly time: Time;
  readonly result: Result;
  readonly agent?: string | undefined;
}

/** Row of a result, and of the decision that it tells. */
export function addResult(scope: Scope, call: Call, facts: ResultFacts): void {
  call.hasResult = true;
  call.resultChars = facts.result.text.length;
  const { status, agent } = facts;
  addRow(scope, {
    record: facts.record,
    part: `result:${call.id}`,
    turn: 'tool_result',
    text: prefixOf(status) + facts.result.text,
    time: facts.time,
    model: facts.model,
    tool: call.name,
    callId: call.id,
    claims: [resultName(scope.session.folder, call.id)],
    attributes: resultAttributes(status, agent),
  });
  addDecision(scope, call, facts);
}

type DecisionFacts = Omit<ResultFacts, 'result'> & { readonly result?: Result };

function addDecision(scope: Scope, call: Call, facts: DecisionFacts): void {
  const decision = decisionOf(facts.status, facts.result);
  if (!decision || call.decisions.includes(decision.text)) return;
  call.decisions.push(decision.text);
  addRow(scope, {
    record: facts.record,
    part: `permission:${call.id}`,
    turn: 'system',
    event: 'permission.decision',
    text: decision.text,
    time: facts.time,
    model: facts.model,
    tool: call.name,
    callId: call.id,
    attributes: decision.attributes,
  });
}

/** A result that is no success says so first. */
export function prefixOf(status: string | undefined): string {
  return status === 'error' || status === 'cancelled' ? `[${status}] ` : '';
}

function resultAttributes(status: string | undefined, agent: string | undefined): Attributes | undefined {
  if (status === undefined && agent === undefined) return undefined;
  return {
    ...(status !== undefined && { status: cleanText(status) }),
    ...(agent !== undefined && { agent_id: cleanText(agent) }),
  };
}

/** An empty list before the call has ended is no result yet. */
function isPending(result: unknown, status: string | undefined): boolean {
  if (!Array.isArray(result) || result.length > 0) return false;
  return status !== 'success' && status !== 'error' && status !== 'cancelled';
}

function useAttributes(call: Call, agent: string | undefined): Attributes | undefined {
  const requested = requestTime(call.id);
  if (requested === null && agent === undefined) return undefined;
  return {
    ...(requested !== null && { requested_at: requested }),
    ...(agent !== undefined && { agent_id: cleanText(agent) }),
  };
}

/** When a call arrived: `<name>__<name>_<epoch ms>_<index>` is the only start time on disk. */
function requestTime(callId: string): string | null {
  const match = /_(\d{13})_\d{1,6}$/.exec(callId);
  return match ? utcOfMs(Number(match[1])) : null;
}
