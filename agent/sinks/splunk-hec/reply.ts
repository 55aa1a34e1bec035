import type { SendResult } from '../../contract/sink.ts';
import type { Answer } from '../transport/exchange.ts';
import {
  describeAnswer,
  isSuccess,
  resultOfStatus,
  retryAsToldBy,
  type StatusContext,
  untypedJsonOf,
} from '../transport/status.ts';
import { hintFor, meaningOf } from './codes.ts';

/** What the event collector itself says, as against a gateway in front of it. */
export interface HecReply {
  readonly code: number;
  /** Position of the event that was refused, from 0. */
  readonly invalidEvent: number | undefined;
  /** Names the request at the acknowledgement endpoint. */
  readonly ackId: number | undefined;
}

export function hecReplyOf(answer: Answer): HecReply | undefined {
  const value = Object(untypedJsonOf(answer)) as Readonly<Record<string, unknown>>;
  const code = count(value['code']);
  if (code === undefined || typeof value['text'] !== 'string') return undefined;
  return {
    code,
    invalidEvent: count(value['invalid-event-number']),
    ackId: count(value['ackId']) ?? count(value['ackID']),
  };
}

export interface ReplyContext extends StatusContext {
  readonly rows: number;
  /** Whether rows in front of a refused one count as taken; without an acknowledgement of them they do not. */
  readonly countsUnacknowledged: boolean;
}

/** What became of the rows. `accepted` means that the events were taken in, not that they are indexed. */
export function resultOfReply(answer: Answer, context: ReplyContext): SendResult {
  const reply = hecReplyOf(answer);
  if (!reply) return resultWithoutCode(answer, context);
  const reason = hintFor(reply.code) + describeAnswer(answer, context.secrets);
  switch (meaningOf(reply.code)) {
    case 'taken':
      return isSuccess(answer) ? { kind: 'accepted' } : { kind: 'retry', reason };
    case 'unauthorized':
      return { kind: 'unauthorized', reason };
    case 'bad_event':
      return badEvent(reply, reason, context);
    default:
      return retryAsToldBy(answer, reason, context);
  }
}

/**
 * Events in front of the refused one are taken in, those behind it are not looked at (moby/moby#35862). A row
 * is set aside only if others were taken before it: what refuses the very first row may refuse every row.
 */
function badEvent({ invalidEvent }: HecReply, reason: string, context: ReplyContext): SendResult {
  const { rows, countsUnacknowledged } = context;
  if (invalidEvent === undefined || invalidEvent === 0 || invalidEvent >= rows) {
    return { kind: 'refused', cause: 'invalid', reason };
  }
  const first = countsUnacknowledged ? invalidEvent : 0;
  const retry = Array.from({ length: rows - first }, (_, index) => first + index).filter(
    (index) => index !== invalidEvent,
  );
  return { kind: 'partial', rejected: [{ index: invalidEvent, reason }], retry };
}

/** A page of a gateway says nothing about the rows, except that they are too much for it. */
function resultWithoutCode(answer: Answer, context: ReplyContext): SendResult {
  const description = describeAnswer(answer, context.secrets);
  if (isSuccess(answer)) {
    const reason = `the answer is no acknowledgement: it is not that of an event collector (${description})`;
    return { kind: 'retry', reason };
  }
  const result = resultOfStatus(answer, context);
  return result.kind === 'refused' && result.cause === 'invalid'
    ? retryAsToldBy(answer, description, context)
    : result;
}

function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
