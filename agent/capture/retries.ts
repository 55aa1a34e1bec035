import { type IntakeItem, RISK } from './intake.ts';
import type { CaptureInit } from './protocol.ts';
import type { Track } from './track.ts';
import type { Waits } from './waits.ts';

/** Puts files into the intake again that could not be read now. */
export interface Retries {
  /** The system said no: a little later each time. */
  later(track: Track): void;
  /** A database is being written: a transaction is over in milliseconds, mostly. */
  soon(track: Track, item: IntakeItem): void;
}

interface RetryDeps {
  readonly waits: Waits;
  readonly mode: CaptureInit['mode'];
  readonly enqueue: (item: IntakeItem) => void;
}

const MAX_RETRY_MS = 60_000;
/** A single scan must end: what the system refuses so often, it leaves out. */
const TRIES_ONCE = 3;
/** So many looks at a database that is always being written are told, and the longest time between two of them. */
const MOVES_TOLD = 60;
const MAX_MOVING_MS = 250;

export function createRetries({ waits, mode, enqueue }: RetryDeps): Retries {
  return {
    later(track) {
      track.seen = undefined;
      if (mode === 'once' && track.failures >= TRIES_ONCE) return;
      const ms = Math.min(MAX_RETRY_MS, 500 * 2 ** Math.min(track.failures, 10));
      const task = () => enqueue({ key: track.ref.key, risk: RISK.event, rank: 0 });
      waits.set(track.ref.key, 'retry', { ms, task });
    },
    soon(track, item) {
      track.moving++;
      if (track.moving >= MOVES_TOLD) {
        track.trouble = 'never at rest';
        if (mode === 'once') return;
      }
      const ms = Math.min(MAX_MOVING_MS, 10 * 2 ** Math.min(track.moving, 10));
      waits.set(track.ref.key, 'retry', { ms, task: () => enqueue(item) });
    },
  };
}
