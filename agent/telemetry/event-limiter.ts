import type { Clock, Timer } from '../contract/clock.ts';

export interface LimiterOptions {
  readonly clock: Clock;
  /** Events of one identity that pass in a window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Called at the end of a window in which some were held back. */
  summarise(identity: string, suppressed: number): void;
}

/** Holds back events that repeat themselves, and says later how many there were. */
export interface EventLimiter {
  admit(identity: string): boolean;
  /** Summaries that are still due, for the end of the process. */
  flush(): void;
  /** Events held back since the start. */
  suppressed(): number;
}

interface Window {
  readonly start: number;
  count: number;
  suppressed: number;
  timer: Timer | undefined;
}

/** Identities remembered at once; the oldest gives way, so that a flood of new ones stays bounded. */
const MAX_IDENTITIES = 1000;

export function createEventLimiter({ clock, limit, windowMs, summarise }: LimiterOptions): EventLimiter {
  const windows = new Map<string, Window>();
  let total = 0;

  return {
    admit(identity) {
      const window = currentWindow(identity);
      window.count++;
      if (window.count <= limit) return true;
      total++;
      window.suppressed++;
      window.timer ??= clock.after(window.start + windowMs - clock.monotonic(), () => close(identity));
      return false;
    },
    flush() {
      for (const identity of [...windows.keys()]) close(identity);
    },
    suppressed: () => total,
  };

  function currentWindow(identity: string): Window {
    const open = windows.get(identity);
    if (open && clock.monotonic() - open.start < windowMs) return open;
    if (open) close(identity);
    const [oldest] = windows.keys();
    if (windows.size >= MAX_IDENTITIES && oldest !== undefined) close(oldest);
    const window = { start: clock.monotonic(), count: 0, suppressed: 0, timer: undefined };
    windows.set(identity, window);
    return window;
  }

  function close(identity: string): void {
    const window = windows.get(identity);
    windows.delete(identity);
    window?.timer?.cancel();
    if (window && window.suppressed > 0) summarise(identity, window.suppressed);
  }
}
