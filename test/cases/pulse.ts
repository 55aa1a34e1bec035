/** Remembers when the last row arrived and when the home was last changed. */
export interface Pulse {
  /** The home was changed just now, or the agent was started. */
  changed(): void;
  /** Milliseconds since the last of both. */
  quietMs(): number;
  /** Whether a row arrived since the last change. */
  hasAnswered(): boolean;
  stop(): void;
}

const SAMPLE_MS = 15;

export function createPulse(arrivals: () => number): Pulse {
  let seen = arrivals();
  let changedAt = performance.now();
  let arrivedAt = Number.NEGATIVE_INFINITY;

  function sample(): void {
    const now = arrivals();
    if (now === seen) return;
    seen = now;
    arrivedAt = performance.now();
  }

  const timer = setInterval(sample, SAMPLE_MS);
  return {
    changed() {
      sample();
      changedAt = performance.now();
    },
    quietMs() {
      sample();
      return performance.now() - Math.max(changedAt, arrivedAt);
    },
    hasAnswered: () => arrivedAt > changedAt,
    stop: () => clearInterval(timer),
  };
}
