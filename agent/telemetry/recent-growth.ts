import type { Clock } from '../contract/clock.ts';

/** How much a total that only grows has grown within the last window, as seen at the calls. */
export function createRecentGrowth(clock: Clock, windowMs: number): (total: number) => number {
  const seen: { readonly at: number; readonly total: number }[] = [{ at: clock.monotonic(), total: 0 }];
  return (total) => {
    const now = clock.monotonic();
    if (seen.at(-1)?.total !== total) seen.push({ at: now, total });
    while (seen.length > 1 && (seen[1]?.at ?? now) <= now - windowMs) seen.shift();
    const [oldest] = seen;
    // The first entry is what the total was when the window began, unless nothing older is known.
    return total - (oldest?.total ?? 0);
  };
}
