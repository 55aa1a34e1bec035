import type { Attributes } from '../../../agent/contract/row.ts';
import { asList, asObject, asText, type JsonObject } from '../../shared/fields.ts';
import { decisionIdentity, resultIdentity } from '../../shared/kiro/identity.ts';
import { readOutput } from '../../shared/kiro/output.ts';
import {
  type Refusal,
  refusalFacts,
  refusalOfPrompt,
  refusalOfResult,
  refusalText,
} from '../../shared/kiro/refusal.ts';
import { addRow, fact, type RowFacts } from '../../shared/kiro/rows.ts';
import { derived } from '../../shared/kiro/time.ts';
import { messageId, type OpenCall, type Scope } from './state.ts';

interface RawResult {
  readonly toolUseId?: unknown;
  readonly content?: unknown;
  readonly status?: unknown;
}

/** One result, with the call that it answers. */
interface Result {
  /** Id of the record that holds it. */
  readonly own: string;
  readonly id: string;
  readonly call: OpenCall;
  readonly text: string;
}

const CANCELLED = 'Tool use was cancelled by the user';

/**
 * What the calls of an answer gave back. Content has the order; the map beside it is written in a random one. A text
 * block among the results stands there only after an import from the first engine: it is what took a prompt's place.
 */
export function readResults(scope: Scope, data: JsonObject): void {
  const { log } = scope;
  const own = messageId(data) ?? 'results';
  const outcomes = asObject(data['results']) ?? {};
  const results: Result[] = [];
  const said: string[] = [];
  for (const value of asList(data['content'])) {
    const { kind, data: block } = asObject<{ kind?: unknown; data?: unknown }>(value) ?? {};
    if (kind === 'toolResult')
      results.push(addResult(scope, { own, outcomes, raw: asObject<RawResult>(block) ?? {} }));
    else if (typeof block === 'string') said.push(block);
  }
  const cancelled = results.filter(({ text }) => text === CANCELLED);
  if (said.length > 0) addImported(scope, results, said.join('\n'));
  else for (const result of cancelled) addCancelled(scope, result);
  log.cancelled = said.length > 0 ? [] : cancelled.map(({ id }) => id);
}

interface Given {
  readonly own: string;
  readonly outcomes: JsonObject;
  readonly raw: RawResult;
}

function addResult(scope: Scope, { own, outcomes, raw }: Given): Result {
  const { log } = scope;
  const id = asText(raw.toolUseId) ?? '-';
  const call = log.calls.get(id) ?? { name: 'unknown', message: own, siblings: [id] };
  const { text, attributes } = readOutput(raw.content);
  const status = asText(raw.status);
  const identity = resultIdentity(log.id, call.message, id);
  addRow(scope, {
    ...identity,
    part: log.repeats.name(identity.part, `${call.message} ${identity.part}`, own),
    turn: 'tool_result',
    text: prefixOf(status) + text,
    time: derived(log.time),
    ...namesOf(call, id),
    attributes: {
      ...fact('status', status),
      ...attributes,
      ...outcomeFacts(outcomes, id),
      ...endFacts(text, status),
    },
  });
  const result = { own, id, call, text };
  const refused = status === 'error' ? refusalOfResult(text) : undefined;
  if (refused) addDecision(scope, result, refused);
  return result;
}

function prefixOf(status: string | undefined): string {
  return status === undefined || status === 'success' ? '' : `[${status}] `;
}

function namesOf({ name }: OpenCall, id: string): { tool?: string; callId: string } {
  return { callId: id, ...(name !== 'unknown' && { tool: name }) };
}

/** The tool as the program itself names it, and how the call ended: beside the model's own words for both. */
function outcomeFacts(outcomes: JsonObject, id: string): Attributes {
  const outcome = asObject<{ tool?: unknown; result?: unknown }>(
    Object.hasOwn(outcomes, id) ? outcomes[id] : undefined,
  );
  if (!outcome) return {};
  const { result } = outcome;
  const [end] = typeof result === 'string' ? [result] : Object.keys(asObject(result) ?? {});
  return fact('outcome', end);
}

/** Calls beside a refused one never ran: that is no decision against them. */
function endFacts(text: string, status: string | undefined): Attributes {
  if (status !== 'error') return {};
  if (text === 'Tool use was not executed') return { not_executed: true };
  if (text === 'Tool use was approved, but did not execute') return { not_executed: true, approved: true };
  return {};
}

type DecisionFacts = Pick<RowFacts, 'text' | 'attributes'> & Partial<Pick<RowFacts, 'tool' | 'callId'>>;

/** One decision about a call, or with no call about all of a message; given again it is another row. */
function tellDecision(
  { scope, result: { own, call } }: { scope: Scope; result: Result },
  id: string | undefined,
  facts: DecisionFacts,
): void {
  const { log } = scope;
  const identity = decisionIdentity(log.id, call.message, id);
  addRow(scope, {
    ...identity,
    part: log.repeats.name(identity.part, `${call.message} ${identity.part}`, own),
    turn: 'system',
    event: 'permission.decision',
    time: derived(log.time),
    ...facts,
  });
}

function addDecision(scope: Scope, result: Result, refused: Refusal): void {
  const { id, call } = result;
  const isRule = refused.by === 'deny-rule';
  tellDecision({ scope, result }, id, {
    text: refusalText(refused, isRule ? (refused.tool ?? call.name) : undefined),
    ...namesOf(call, id),
    attributes: refusalFacts(refused, isRule ? call.siblings : []),
  });
}

function addCancelled(scope: Scope, result: Result): void {
  const { id, call } = result;
  tellDecision({ scope, result }, id, {
    text: 'permission decision: cancelled by=user',
    ...namesOf(call, id),
    attributes: { decision: 'cancelled', by: 'user' },
  });
}

/** A rule names a tool and no call, so it is one event for all calls; whatever else was said refuses each of them. */
function addImported(scope: Scope, results: readonly Result[], said: string): void {
  const refused = refusalOfPrompt(said);
  const [first] = results;
  if (!first) return;
  if (refused.by !== 'deny-rule' && refused.by !== 'headless') {
    for (const result of results) addDecision(scope, result, refused);
    return;
  }
  tellDecision({ scope, result: first }, undefined, {
    text: refusalText(refused, refused.tool),
    tool: refused.tool,
    callId: results.length === 1 ? first.id : undefined,
    attributes: refusalFacts(
      refused,
      results.map(({ id }) => id),
    ),
  });
}
