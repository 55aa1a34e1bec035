import { setTimeout as sleep } from 'node:timers/promises';
import { StepError } from './errors.ts';

const POLL_MS = 40;

/** Waits in a bounded loop for what a step needs to be so. */
export async function untilSo(what: string, check: () => boolean, timeoutMs = 25_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!check()) {
    if (performance.now() > end) throw new StepError(`${what}: not within ${timeoutMs} ms`);
    await sleep(POLL_MS);
  }
}
