import { asText, type JsonObject } from '../fields.ts';
import type { Time } from '../time.ts';
import type { Session } from './state.ts';

const CONVERTED_ID = /-(?:text|tool|thinking|reasoning)-\d+$/;

/** Message of the second engine in the id of a converted record: `<message>-text-0`, `<message>-tool-1`. */
export function messageOf({ log, id }: { readonly log: Session; readonly id: string }): string {
  return log.isConverted ? id.replace(CONVERTED_ID, '') : id;
}

interface RecordFacts {
  readonly id: string;
  readonly time: Time;
  readonly type: string;
  readonly payload: JsonObject;
}

/**
 * Whether a record was converted from the second engine, and not said in the session since. All of them were written at
 * one moment, which is the time that answers and calls got; prompts kept theirs, which is before it.
 */
export function isConverted(log: Session, { id, time, type, payload }: RecordFacts): boolean {
  if (!log.isConverted) return false;
  const call = asText(payload['toolCallId']);
  if (CONVERTED_ID.test(id)) {
    log.convertedAt = time.utc ?? log.convertedAt;
    if (call !== undefined) log.convertedCalls.add(call);
    return true;
  }
  if (type === 'tool_result') return call !== undefined && log.convertedCalls.has(call);
  return type === 'user' && (log.convertedAt === undefined || (time.utc ?? '') <= log.convertedAt);
}
