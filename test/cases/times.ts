/** Timings of the agent under test, and how long the runner waits because of them. */
export const AGENT_TIMES = { settleMs: 600, sweepSeconds: 1, fullSweepSeconds: 10 } as const;

/** The agent looks this often for copies whose time to be claimed is over. */
const COPIES_MS = 500;

const { settleMs, sweepSeconds } = AGENT_TIMES;

/**
 * How long nothing may arrive until the agent counts as idle. After rows of the last change came, a few
 * times the debounce time (50 ms) will do. When none came, the quick sweep must have had its turn, for an
 * event may have been lost, and a copy from a secondary file waits for the settle time. At the end a file
 * that is cut has had its settle time, and the copies in it theirs after that.
 */
export const QUIET_MS = {
  afterRows: 400,
  withoutRows: Math.max(sweepSeconds * 1000, settleMs + COPIES_MS) + 500,
  settled: settleMs + 500,
  atEnd: 2 * settleMs + COPIES_MS + 400,
} as const;

/** Bounds of waits: reaching one is a failure of the case. */
export const LIMIT_MS = { start: 20_000, idle: 60_000, stop: 10_000, rescan: 40_000 } as const;
