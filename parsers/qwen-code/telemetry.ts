import { asNumber, asObject, asText, type JsonObject } from '../shared/fields.ts';
import { cleanText } from '../shared/text.ts';
import { timeOf } from './place.ts';
import type { RawRecord } from './records.ts';
import { addEvent } from './rows.ts';
import type { Scope } from './state.ts';

interface RawEvent {
  readonly 'event.name'?: unknown;
  readonly call_id?: unknown;
  readonly decision?: unknown;
  readonly subagent_name?: unknown;
  readonly error_message?: unknown;
  readonly error_type?: unknown;
  readonly status_code?: unknown;
}

/** Calls whose result never came are forgotten at some point. */
const MAX_APPROVALS = 1_000;

/**
 * Telemetry repeats answers and calls, so it gives no rows of its own. Two things stand nowhere else: how a call was
 * approved, which goes to its result, and that a request failed. What subagents and the program's own helpers, such
 * as the memory extractor, did is left out: their calls bear the same ids.
 */
export function readTelemetry(scope: Scope, raw: RawRecord, payload: JsonObject): void {
  const event = asObject<RawEvent>(payload['uiEvent']) ?? {};
  if (event.subagent_name !== undefined) return;
  if (event['event.name'] === 'qwen-code.tool_call') noteApproval(scope, event);
  if (event['event.name'] === 'qwen-code.api_error') addFailure(scope, raw, event);
}

function noteApproval({ session }: Scope, event: RawEvent): void {
  const callId = asText(event.call_id);
  const decision = asText(event.decision);
  if (callId === undefined || decision === undefined) return;
  if (session.approvals.size >= MAX_APPROVALS) session.approvals.clear();
  session.approvals.set(cleanText(callId), cleanText(decision));
}

function addFailure(scope: Scope, raw: RawRecord, event: RawEvent): void {
  const type = asText(event.error_type);
  const status = asNumber(event.status_code);
  addEvent(scope, 'message.error', {
    text: `API error: ${asText(event.error_message) ?? type ?? 'unknown'}`,
    time: timeOf(raw.timestamp),
    attributes: {
      ...(type !== undefined && { error_type: cleanText(type) }),
      ...(status !== undefined && { status_code: status }),
    },
  });
}
