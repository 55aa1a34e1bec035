import type { Time } from '../shared/time.ts';
import type { ResponsePart } from './content.ts';
import { resultOfPart } from './result.ts';
import { type Call, type Message, newCall, type Scope, type Session } from './state.ts';
import { addResult } from './tools.ts';

interface Responses {
  readonly responses: readonly ResponsePart[];
  readonly time: Time;
}

/**
 * Results inside a user message. They nearly always repeat what the calls' own records hold; one that does
 * not (its record is torn or was never written) is the only trace of the result.
 */
export function addResponses(scope: Scope, messageId: string, { responses, time }: Responses): void {
  const { session } = scope;
  const isCopy = isAnswerOfKnown(session, messageId);
  for (const [index, part] of responses.entries()) {
    const id = part.id ?? `${part.name ?? 'call'}_${index}`;
    const owner = ownerOf(session, id);
    if (!owner && (isCopy || session.orphans.has(id))) continue;
    const call = owner?.call ?? newOrphan(session, id, part.name);
    if (call.hasResult) continue;
    const result = resultOfPart(part);
    addResult(scope, call, {
      record: owner?.message.id ?? messageId,
      model: owner?.message.model,
      status: statusOf(result.error),
      result,
      time,
    });
  }
}

/** `<id>_response` is made by the program from the calls of message `<id>` at a resume; call ids may be made up. */
function isAnswerOfKnown(session: Session, id: string): boolean {
  return id.endsWith('_response') && session.messages.has(id.slice(0, -'_response'.length));
}

/** The latest call with this id that has no result, else the latest one. */
function ownerOf(session: Session, id: string): { message: Message; call: Call } | undefined {
  let found: { message: Message; call: Call } | undefined;
  for (const message of session.byCall.get(id)?.slice(-MAX_OWNERS) ?? []) {
    const call = message.calls.get(id);
    if (call && (!call.hasResult || !found)) found = { message, call };
  }
  return found;
}

/** Messages with one call id that are looked at: an interface may number its calls from 0 in every turn. */
const MAX_OWNERS = 100;

function newOrphan(session: Session, id: string, name: string | undefined): Call {
  session.orphans.add(id);
  return newCall(id, name);
}

/** Status of a call, as far as its result tells. */
export function statusOf(error: string | undefined): string | undefined {
  if (error === undefined) return undefined;
  return error.startsWith('[Operation Cancelled]') ? 'cancelled' : 'error';
}
