const BACKOFF_FIRST_MS = 1000;
const BACKOFF_MAX_MS = 5 * 60_000;
const RETRY_AFTER_MAX_MS = 60 * 60_000;

/** Even the luckiest draw leaves this much time, so that no run of failures becomes a hot loop. */
const BACKOFF_LEAST_MS = 100;

/**
 * Exponential backoff with full jitter: a uniform draw below a ceiling that doubles with every failure
 * in a row (1 s, 2 s, ... 5 min). The spread keeps a fleet from coming back at the same instant.
 */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures - 1, 30));
  return BACKOFF_LEAST_MS + random() * (ceiling - BACKOFF_LEAST_MS);
}

/**
 * How long to wait after a failure: at least what the other end asked for, but never more than an hour of
 * it. A tenth is added at random, since a load balancer asks all hosts for the same at once.
 */
export function retryDelayMs(failures: number, afterMs: number | undefined, random: () => number): number {
  const own = backoffMs(failures, random);
  if (afterMs === undefined || !(afterMs > own)) return own;
  return Math.min(afterMs * (1 + random() / 10), RETRY_AFTER_MAX_MS);
}
