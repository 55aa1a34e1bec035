import type { Clock, Timer } from '../contract/clock.ts';
import type { Track } from './track.ts';

/** What is to be done with a file a little later: settle its end, believe that it is gone, tell why, try it again. */
export type WaitReason = 'settle' | 'gone' | 'burst' | 'retry';

/** Timers by file and reason; a new one takes the place of the old. */
export class Waits {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #timers = new Map<string, Timer>();

  /** `onChange` hears of every wait that begins or ends. */
  constructor(clock: Clock, onChange: () => void = () => {}) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#timers.size;
  }

  /** Waits that end by themselves; a file that the system refuses may be tried again for ever. */
  get ending(): number {
    let count = 0;
    for (const name of this.#timers.keys()) if (!name.startsWith('retry ')) count++;
    return count;
  }

  set(key: string, reason: WaitReason, { ms, task }: { ms: number; task: () => void }): Timer {
    this.cancel(key, reason);
    const name = `${reason} ${key}`;
    const timer = this.#clock.after(ms, () => {
      this.#timers.delete(name);
      task();
      this.#onChange();
    });
    this.#timers.set(name, timer);
    this.#onChange();
    return timer;
  }

  cancel(key: string, reason: WaitReason): void {
    const name = `${reason} ${key}`;
    this.#timers.get(name)?.cancel();
    if (this.#timers.delete(name)) this.#onChange();
  }

  cancelAll(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }
}

/** The end of the file is no longer unfinished, or the file is gone. */
export function cancelSettle(track: Track, waits: Waits): void {
  waits.cancel(track.ref.key, 'settle');
  track.settle = undefined;
}
