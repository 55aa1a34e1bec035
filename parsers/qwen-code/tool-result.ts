import type { Attributes } from '../../agent/contract/row.ts';
import { asObject, asText } from '../shared/fields.ts';
import { cleanText } from '../shared/text.ts';
import type { Time } from '../shared/time.ts';
import { callIdOf, cleanName } from './assistant.ts';
import { contentOf, type FunctionResponse } from './content.ts';
import { type CallEnd, decisionOf } from './permission.ts';
import { timeOf } from './place.ts';
import type { RawRecord, RawToolResult } from './records.ts';
import { addRow } from './rows.ts';
import type { Scope } from './state.ts';

/** A record of type tool_result: what one call gave back, and how it was decided. */
export function readToolResult(scope: Scope, raw: RawRecord): void {
  const time = timeOf(raw.timestamp);
  const outcome = asObject<RawToolResult>(raw.toolCallResult) ?? {};
  const { responses, texts } = contentOf(raw);
  for (const [index, response] of responses.entries())
    addResult(scope, { response, outcome, index, extra: responses.length === 1 ? texts : [], time });
  if (responses.length === 0) addBare(scope, { outcome, texts, time });
}

interface Given {
  readonly response: FunctionResponse;
  readonly outcome: RawToolResult;
  readonly index: number;
  /** Text parts beside the response. */
  readonly extra: readonly string[];
  readonly time: Time;
}

function addResult(scope: Scope, { response, outcome, index, extra, time }: Given): void {
  const error = errorOf(response.response);
  const end = endOf(outcome, { response, error });
  const callId = callIdOf(response, index);
  const call = { tool: cleanName(response), callId, time };
  const pieces = [...extra, bodyText(response.response), ...response.attachments];
  addRow(scope, {
    part: `result:${callId}`,
    turn: 'tool_result',
    text: prefixOf(end.status) + pieces.filter((piece) => piece !== '').join('\n'),
    ...call,
    attributes: { ...endAttributes(end), ...approvalOf(scope, callId) },
  });
  const decision = decisionOf(end);
  if (!decision) return;
  addRow(scope, {
    part: `permission:${callId}`,
    turn: 'system',
    event: 'permission.decision',
    ...decision,
    ...call,
  });
}

/** A result without a response part: another writer's, or a future release's. */
function addBare(
  scope: Scope,
  { outcome, texts, time }: { outcome: RawToolResult; texts: readonly string[]; time: Time },
): void {
  const text = texts.length > 0 ? texts.join('') : (asText(outcome.resultDisplay) ?? '');
  const id = asText(outcome.callId);
  if (text === '' && id === undefined) return;
  const status = asText(outcome.status);
  const callId = callIdOf({ id, name: undefined }, 0);
  addRow(scope, {
    part: `result:${callId}`,
    turn: 'tool_result',
    text: prefixOf(status) + text,
    time,
    callId,
    attributes: status === undefined ? {} : { status: cleanText(status) },
  });
}

/** Transcripts of subagents tell no status; there an error is all that is known. */
function endOf(
  outcome: RawToolResult,
  result: { response: FunctionResponse; error: string | undefined },
): CallEnd {
  const { response, error } = result;
  return {
    tool: response.name,
    status: asText(outcome.status) ?? (error === undefined ? undefined : 'error'),
    errorType: asText(outcome.errorType),
    executionStatus: asText(outcome.executionStatus),
    error,
  };
}

function endAttributes({ status, errorType, executionStatus }: CallEnd): Attributes {
  return {
    ...(status !== undefined && { status: cleanText(status) }),
    ...(errorType !== undefined && { error_type: cleanText(errorType) }),
    ...(executionStatus !== undefined && { execution_status: cleanText(executionStatus) }),
  };
}

/** How the call was approved: by a person, by itself, or not. */
function approvalOf({ session }: Scope, callId: string): Attributes {
  const approval = session.approvals.get(callId);
  session.approvals.delete(callId);
  return approval === undefined ? {} : { approval };
}

/** A result that is no success says so first. */
function prefixOf(status: string | undefined): string {
  return status === 'error' || status === 'cancelled' ? `[${status}] ` : '';
}

/** The text under `output` or `error`; anything else as compact JSON. */
function bodyText(response: unknown): string {
  if (typeof response === 'string') return response;
  const body = asObject<{ output?: unknown; error?: unknown }>(response);
  if (typeof body?.output === 'string') return body.output;
  if (typeof body?.error === 'string') return body.error;
  return response === undefined ? '' : JSON.stringify(response);
}

function errorOf(response: unknown): string | undefined {
  const error = asObject<{ error?: unknown }>(response)?.error;
  return typeof error === 'string' ? error : undefined;
}
