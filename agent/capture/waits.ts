import type { Clock, Timer } from '../contract/clock.ts';

/** What is to be done with a file a little later: settle its end, believe that it is gone, try it again. */
export type WaitReason = 'settle' | 'gone' | 'retry';

/** Timers by file and reason; a new one takes the place of the old. */
export class Waits {
  readonly #clock: Clock;
  readonly #timers = new Map<string, Timer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#timers.size;
  }

  set(key: string, reason: WaitReason, { ms, task }: { ms: number; task: () => void }): Timer {
    this.cancel(key, reason);
    const name = `${reason} ${key}`;
    const timer = this.#clock.after(ms, () => {
      this.#timers.delete(name);
      task();
    });
    this.#timers.set(name, timer);
    return timer;
  }

  cancel(key: string, reason: WaitReason): void {
    const name = `${reason} ${key}`;
    this.#timers.get(name)?.cancel();
    this.#timers.delete(name);
  }

  cancelAll(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }
}
