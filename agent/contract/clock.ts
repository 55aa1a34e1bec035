/** Time as everything outside agent/platform sees it. The test clock is advanced by hand. */
export interface Clock {
  /** Wall time in milliseconds since 1970; may jump. */
  now(): number;
  /** Milliseconds that only go forward. */
  monotonic(): number;
  /** Runs the task once after a delay. */
  after(ms: number, task: () => void): Timer;
  /** Runs the task again and again; never keeps the process alive by itself. */
  every(ms: number, task: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

/** Resolves after a delay, or at once when the signal aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      timer.cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.after(ms, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** Last millisecond of the year 9999: what lies behind has no RFC 3339 form. */
const LAST_MS = 253_402_300_799_999;

/** RFC 3339 with milliseconds, as every time in a row is written. Times of files may be anything: clamped. */
export function isoTime(ms: number): string {
  return new Date(Math.min(Math.max(Number.isFinite(ms) ? ms : 0, 0), LAST_MS)).toISOString();
}
