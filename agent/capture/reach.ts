import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../contract/clock.ts';

/**
 * Whether directories outside the home are there, asked one after the other and never waited for: one on a disk of the
 * network that does not answer would hold up whoever looks at it, and with it the whole home.
 */
export interface Reach {
  /** Calls back when the directory is there; not at all while it is not, or does not answer. */
  ask(dir: string, found: () => void, missing: () => void): void;
  /** The directory that has not answered for long. */
  stuck(): string | undefined;
}

interface Question {
  readonly dir: string;
  readonly found: () => void;
  readonly missing: () => void;
}

/** A disk that sleeps answers within this time. */
const STUCK_MS = 10_000;

export function createReach(clock: Clock, look: (dir: string) => Promise<boolean> = isDirectory): Reach {
  const waiting: Question[] = [];
  let current: { readonly dir: string; readonly since: number } | undefined;

  async function answerAll(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      current = { dir: next.dir, since: clock.monotonic() };
      if (await look(next.dir)) next.found();
      else next.missing();
    }
    current = undefined;
  }

  return {
    ask(dir, found, missing) {
      if (isOfNetwork(dir) || dirname(dir) === dir) return;
      if (waiting.some((question) => question.dir === dir) || current?.dir === dir) return;
      waiting.push({ dir, found, missing });
      if (!current) void answerAll();
    },
    stuck: () =>
      current !== undefined && clock.monotonic() - current.since > STUCK_MS ? current.dir : undefined,
  };
}

/** A path that names another machine: whoever looks at it may send that machine the user's credentials. */
export function isOfNetwork(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}

async function isDirectory(dir: string): Promise<boolean> {
  try {
    return (await stat(dir)).isDirectory();
  } catch {
    return false;
  }
}
