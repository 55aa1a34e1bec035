import { type Clock, sleep } from '../../contract/clock.ts';
import type { NoAnswer, Reply } from '../transport/sender.ts';
import { describeAnswer, isSuccess, untypedJsonOf } from '../transport/status.ts';
import { CODE, hintFor, meaningOf } from './codes.ts';
import { hecReplyOf } from './reply.ts';

export interface AckOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Asks the acknowledgement endpoint what has become of requests on our channel. */
  readonly ask: (ackIds: readonly number[], signal: AbortSignal) => Promise<Reply>;
}

/** Indexer acknowledgement: events count once they are indexed, which takes a few seconds. */
export interface Acks {
  /** Undefined when the token has indexer acknowledgement as far as can be seen; else why nothing can be sent. */
  check(signal: AbortSignal): Promise<NoAnswer | undefined>;
  /** Waits until the request is indexed; undefined once it is. */
  wait(ackId: number, signal: AbortSignal): Promise<NoAnswer | undefined>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

export function createAcks({ clock, timeoutMs, ask }: AckOptions): Acks {
  let isChecked = false;
  return {
    /** Without acknowledgement every batch would arrive again and again, and never count. */
    async check(signal) {
      if (isChecked) return undefined;
      const state = stateOf(await ask([0], signal), 0);
      if (state.kind === 'failed') return state.result;
      isChecked = state.kind !== 'unclear';
      return undefined;
    },
    async wait(ackId, signal) {
      const end = clock.monotonic() + timeoutMs;
      let pauseMs = FIRST_PAUSE_MS;
      let seen = 'it answers that they are not';
      for (;;) {
        const state = stateOf(await ask([ackId], signal), ackId);
        if (state.kind === 'indexed') return undefined;
        if (state.kind === 'failed') return state.result;
        if (state.kind === 'unclear') seen = state.reason;
        const leftMs = end - clock.monotonic();
        if (signal.aborted) return { kind: 'retry', reason: 'stopped' };
        if (leftMs <= 0) return { kind: 'retry', reason: notIndexed(timeoutMs, seen) };
        await sleep(clock, Math.min(pauseMs, leftMs), signal);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    },
  };
}

function notIndexed(timeoutMs: number, seen: string): string {
  return `the events were taken in but not acknowledged as indexed within ${timeoutMs / 1000} s: ${seen}`;
}

type State =
  | { readonly kind: 'indexed' }
  | { readonly kind: 'waiting' }
  /** Nothing that tells; asked again. */
  | { readonly kind: 'unclear'; readonly reason: string }
  | { readonly kind: 'failed'; readonly result: NoAnswer };

function stateOf(reply: Reply, ackId: number): State {
  if (reply.kind === 'none') {
    const { result } = reply;
    return result.kind === 'unauthorized'
      ? { kind: 'failed', result }
      : { kind: 'unclear', reason: result.reason };
  }
  const { answer, secrets } = reply;
  const { acks } = Object(untypedJsonOf(answer)) as { readonly acks?: unknown };
  if (isSuccess(answer) && typeof acks === 'object' && acks !== null) {
    return { kind: (acks as Record<string, unknown>)[ackId] === true ? 'indexed' : 'waiting' };
  }
  const code = hecReplyOf(answer)?.code;
  const reason = `the acknowledgement endpoint answers ${describeAnswer(answer, secrets)}`;
  if (code === CODE.ackDisabled) {
    return { kind: 'failed', result: { kind: 'retry', reason: hintFor(code) + reason } };
  }
  if (code !== undefined && meaningOf(code) === 'unauthorized') {
    return { kind: 'failed', result: { kind: 'unauthorized', reason } };
  }
  return { kind: 'unclear', reason };
}
