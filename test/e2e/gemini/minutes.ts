import { setTimeout as sleep } from 'node:timers/promises';

const MINUTE_MS = 60_000;

/** Waits for the first second of another minute than the one that a file name gives. UTC, as in the name. */
export async function laterThan(minute: string): Promise<void> {
  while (thisMinute() === minute) await sleep(leftOfMinute() + 50);
}

/** Waits until at least so much of the current minute is left. */
export async function earlyInMinute(neededMs: number): Promise<void> {
  if (leftOfMinute() < neededMs) await sleep(leftOfMinute() + 50);
}

function thisMinute(): string {
  return new Date().toISOString().slice(0, 16).replace(':', '-');
}

export function leftOfMinute(): number {
  return MINUTE_MS - (Date.now() % MINUTE_MS);
}
