import cron from 'node-cron';
import type { Clock } from '../contract/clock.ts';

export interface Schedule {
  stop(): void;
}

export interface ScheduleOptions {
  readonly seconds: number;
  readonly name: string;
  readonly clock: Clock;
}

/** Its warnings about missed runs would fill the log after a night of sleep, one for each. */
const SILENT = { info() {}, warn() {}, error() {}, debug() {} };

/**
 * Runs a task every so many seconds; a run that is still going on is not joined by another. A schedule goes by
 * the wall clock: when that is set back, it would wait until the old time has come again, so it is begun anew.
 */
export function everySeconds({ seconds, name, clock }: ScheduleOptions, task: () => void): Schedule {
  let lastRun = clock.monotonic();
  const run = () => {
    lastRun = clock.monotonic();
    task();
  };
  const begin = () =>
    cron.schedule(cronPattern(seconds), run, {
      name,
      noOverlap: true,
      logger: SILENT,
      suppressMissedWarning: true,
    });
  let job = begin();
  const watch = clock.every(seconds * 1000, () => {
    if (clock.monotonic() - lastRun < 2 * seconds * 1000) return;
    void job.destroy();
    job = begin();
    run();
  });
  return {
    stop() {
      watch.cancel();
      void job.destroy();
    },
  };
}

/**
 * The nearest pattern cron can say that is never slower: seconds below a minute, whole minutes below an hour,
 * whole hours beyond.
 */
export function cronPattern(seconds: number): string {
  if (seconds < 60) return `*/${Math.max(1, Math.floor(seconds))} * * * * *`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `0 */${minutes} * * * *`;
  return `0 0 */${Math.min(23, Math.floor(minutes / 60))} * * *`;
}
