import type { Clock } from '../contract/clock.ts';

/** The one place where a shipper sleeps, and from where it is woken. */
export interface Waiter {
  /** Comes back after the time, on `stop`, and on `wake` if wakeable. */
  wait(ms: number, options: { readonly wakeable: boolean }): Promise<void>;
  wake(): void;
  stop(): void;
}

export function createWaiter(clock: Clock): Waiter {
  let stopped = false;
  let current: { readonly wakeable: boolean; readonly done: () => void } | undefined;
  return {
    wait(ms, { wakeable }) {
      if (stopped) return Promise.resolve();
      return new Promise((resolve) => {
        const done = () => {
          timer.cancel();
          current = undefined;
          resolve();
        };
        const timer = clock.after(ms, done);
        current = { wakeable, done };
      });
    },
    wake() {
      if (current?.wakeable) current.done();
    },
    stop() {
      stopped = true;
      current?.done();
    },
  };
}
