import type { Clock } from '../contract/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return { cancel: () => clearTimeout(timer) };
  },
  every(ms, task) {
    const timer = setInterval(task, ms);
    timer.unref();
    return { cancel: () => clearInterval(timer) };
  },
};
