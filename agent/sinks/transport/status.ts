import type { SendResult } from '../../contract/sink.ts';
import { excerptOf, printable } from './excerpt.ts';
import type { Answer } from './exchange.ts';
import { retryAfterMs } from './retry-after.ts';

/** What a status code means that is no success, for every sink that speaks HTTP. */
export function resultOfStatus(answer: Answer, context: StatusContext): SendResult {
  const reason = describeAnswer(answer, context.secrets);
  const { status } = answer;
  if (status === 401 || status === 403) return { kind: 'unauthorized', reason };
  if (status === 413) return { kind: 'refused', cause: 'too_large', reason };
  if (status === 400 || status === 422) return { kind: 'refused', cause: 'invalid', reason };
  if (status >= 300 && status < 400)
    return { kind: 'retry', reason: `${reason}; redirects are not followed` };
  if (status === 407)
    return { kind: 'retry', reason: 'the proxy answered 407: it wants a user name and password' };
  return retryAsToldBy(answer, reason, context);
}

/** A retry for another reason than the status; Retry-After counts all the same. */
export function retryAsToldBy(
  { headers }: Answer,
  reason: string,
  { now }: StatusContext,
): Extract<SendResult, { kind: 'retry' }> {
  const afterMs = retryAfterMs(headers['retry-after'], { date: headers.date, now });
  return { kind: 'retry', reason, ...(afterMs !== undefined && { afterMs }) };
}

export interface StatusContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Values that must not show in a reason. */
  readonly secrets: readonly string[];
}

/** Status, content type and first characters of an answer, in one printable line. */
export function describeAnswer(answer: Answer, secrets: readonly string[]): string {
  const type = printable(answer.headers['content-type'] ?? 'no content type', secrets).slice(0, 60);
  return `status ${answer.status}, ${type}, ${excerptOf(answer.body, secrets)}`;
}

export function isSuccess(answer: Answer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** The body as JSON if it says that it is JSON and was read to its end; undefined otherwise. */
export function jsonOf(answer: Answer): unknown {
  const type = answer.headers['content-type'] ?? '';
  return /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type) ? untypedJsonOf(answer) : undefined;
}

/** The same for servers whose JSON comes under any content type; what is in it must then be telling enough. */
export function untypedJsonOf({ cut, body }: Answer): unknown {
  if (cut) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
