/** Timings of the agent under test, and how long the runner waits because of them. */
export const AGENT_TIMES = { settleMs: 600, sweepSeconds: 1, fullSweepSeconds: 10 } as const;

/**
 * How long nothing may arrive until the agent counts as idle. After rows of the last change came, a few
 * times the debounce time (50 ms) will do. When none came, the quick sweep must have had its turn, for an
 * event may have been lost. What then still waits for its time, the agent says itself.
 */
export const QUIET_MS = {
  afterRows: 400,
  withoutRows: AGENT_TIMES.sweepSeconds * 1000 + 500,
} as const;

/** Bounds of waits: reaching one is a failure of the case. */
export const LIMIT_MS = { start: 20_000, idle: 60_000, stop: 10_000, rescan: 40_000 } as const;
