import cron from 'node-cron';

export interface Schedule {
  stop(): void;
}

/** Runs a task every so many seconds; a run that is still going on is not joined by another. */
export function everySeconds(seconds: number, name: string, task: () => void | Promise<void>): Schedule {
  const job = cron.schedule(cronPattern(seconds), async () => task(), { name, noOverlap: true });
  return { stop: () => void job.stop() };
}

/** The nearest pattern cron can say: seconds below a minute, whole minutes below an hour, whole hours beyond. */
export function cronPattern(seconds: number): string {
  if (seconds < 60) return `*/${Math.max(1, Math.round(seconds))} * * * * *`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `0 */${minutes} * * * *`;
  return `0 0 */${Math.min(23, Math.round(minutes / 60))} * * *`;
}
