import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../contract/clock.ts';
import { isBelow } from './layout.ts';

/**
 * Whether directories outside the home are there, asked one after the other and never waited for: one on a disk of the
 * network that does not answer would hold up whoever looks at it, and with it the whole home.
 */
export interface Reach {
  /**
   * Calls back whether the directory is there; not at all while it does not answer. One that is never asked, on another
   * machine or behind too many others, counts as missing.
   */
  ask(dir: string, found: () => void, missing: () => void): void;
  /** Whether the directory may be looked at now: one of the home, or one that was there when it was asked for. */
  has(dir: string): boolean;
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

const IGNORE = () => {};

const MAX_WAITING = 1_000;

/** Directories that are remembered as there. */
const MAX_KNOWN = 5_000;

export interface ReachDeps {
  readonly clock: Clock;
  readonly home: string;
  /** Stands in for the file system in tests. */
  readonly look?: (dir: string) => Promise<boolean>;
}

export function createReach({ clock, home, look = isDirectory }: ReachDeps): Reach {
  const there = new Set<string>();
  const waiting: Question[] = [];
  let current: { readonly dir: string; readonly since: number } | undefined;

  async function answerAll(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      current = { dir: next.dir, since: clock.monotonic() };
      const isThere = await look(next.dir);
      if (there.size >= MAX_KNOWN) there.clear();
      if (isThere) there.add(next.dir);
      if (isThere) next.found();
      else next.missing();
    }
    current = undefined;
  }

  function ask(dir: string, found: () => void, missing: () => void): void {
    if (isOfNetwork(dir) || dirname(dir) === dir || waiting.length >= MAX_WAITING) {
      missing();
      return;
    }
    waiting.push({ dir, found, missing });
    if (!current) void answerAll();
  }

  return {
    ask,
    has(dir) {
      if (isBelow(dir, home) || there.has(dir)) return true;
      const isAsked = current?.dir === dir || waiting.some((question) => question.dir === dir);
      if (!isAsked) ask(dir, IGNORE, IGNORE);
      return false;
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
