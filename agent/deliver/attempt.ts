import type { Clock } from '../contract/clock.ts';
import { messageOf } from '../contract/errors.ts';
import type { Batch, SendResult, Sink } from '../contract/sink.ts';

export interface AttemptOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Aborts when the shipper stops. */
  readonly signal: AbortSignal;
}

/**
 * Sends once and always comes back: after the timeout or a stop even when the sink does not. A sink that
 * throws has a bug; the rows are kept and sent again, and `onBug` hears of it.
 */
export async function attempt(
  sink: Sink,
  batch: Batch,
  options: AttemptOptions & { readonly onBug: (error: unknown) => void },
): Promise<SendResult> {
  const { clock, timeoutMs, signal } = options;
  const cancel = new AbortController();
  const gaveUp = Promise.withResolvers<SendResult>();
  const giveUp = (reason: string) => {
    gaveUp.resolve({ kind: 'retry', reason });
    cancel.abort();
  };
  const onStop = () => giveUp('stopped');
  const timer = clock.after(timeoutMs, () => giveUp(`no answer within ${timeoutMs / 1000} s`));
  signal.addEventListener('abort', onStop, { once: true });
  try {
    return await Promise.race([
      sendSafely(sink, batch, { signal: cancel.signal, onBug: options.onBug }),
      gaveUp.promise,
    ]);
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', onStop);
  }
}

async function sendSafely(
  sink: Sink,
  batch: Batch,
  { signal, onBug }: { readonly signal: AbortSignal; readonly onBug: (error: unknown) => void },
): Promise<SendResult> {
  try {
    return await sink.send(batch, signal);
  } catch (error) {
    onBug(error);
    return { kind: 'retry', reason: `the sink failed: ${messageOf(error)}` };
  }
}
