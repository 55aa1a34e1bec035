import type { Clock } from '../contract/clock.ts';

/** Longer than any tick is late on a loaded machine. */
const GAP_MS = 10_000;

/**
 * Tells at every tick whether time passed in which we did not run, and events may have been lost. A stopped
 * process finds its tick late; a machine that slept does not, since the monotonic clock sleeps with it, but its
 * wall clock has jumped. A wall clock that someone set looks the same; one sweep too many does no harm.
 */
export function sleepWatch(clock: Clock): () => boolean {
  let [wall, mono] = [clock.now(), clock.monotonic()];
  return () => {
    const [wallNow, monoNow] = [clock.now(), clock.monotonic()];
    const late = monoNow - mono > GAP_MS;
    const jumped = Math.abs(wallNow - wall - (monoNow - mono)) > GAP_MS;
    [wall, mono] = [wallNow, monoNow];
    return late || jumped;
  };
}
