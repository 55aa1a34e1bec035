import type { Clock } from '../contract/clock.ts';

/** Callers that wait until everything is delivered, each with a limit. */
export interface Drains {
  add(timeoutMs: number): Promise<boolean>;
  /** Everything is delivered. */
  done(): void;
  /** Nothing will be sent for this long: who cannot wait as long learns it at once. */
  blocked(ms: number): void;
  /** Nothing will be sent any more. */
  end(): void;
}

interface Drain {
  readonly until: number;
  readonly end: (drained: boolean) => void;
}

export function createDrains(clock: Clock): Drains {
  const waiting = new Set<Drain>();
  return {
    add(timeoutMs) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const timer = clock.after(timeoutMs, () => drain.end(false));
      const drain: Drain = {
        until: clock.monotonic() + timeoutMs,
        end(drained) {
          timer.cancel();
          waiting.delete(drain);
          resolve(drained);
        },
      };
      waiting.add(drain);
      return promise;
    },
    done() {
      for (const drain of waiting) drain.end(true);
    },
    blocked(ms) {
      const next = clock.monotonic() + ms;
      for (const drain of waiting) if (drain.until < next) drain.end(false);
    },
    end() {
      for (const drain of waiting) drain.end(false);
    },
  };
}
