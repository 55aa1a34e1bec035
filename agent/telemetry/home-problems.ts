import { count, type Finding } from './finding.ts';
import type { HealthFacts, HomeFacts } from './health.ts';

/** A full sweep this many times overdue means late, then as good as none. */
const LATE_FACTOR = 3;
const LOST_FACTOR = 10;

export function homeProblems(home: HomeFacts, facts: HealthFacts): Finding[] {
  return [
    ...captureDown(home),
    ...unreadablePaths(home),
    ...watchDegraded(home, facts.pollWished),
    ...sweepLate(home, facts),
    ...parsedNothing(home),
    ...quarantined(home),
  ];
}

/**
 * Age of a home's last full sweep; before the first one, age of the service. A wall clock that jumped
 * since must not make a sweep look late.
 */
export function sweepAgeMs(
  lastFullSweepAt: number | null,
  { now, uptimeMs, clockJump }: Pick<HealthFacts, 'now' | 'uptimeMs' | 'clockJump'>,
): number {
  if (lastFullSweepAt === null) return uptimeMs;
  const jumped = clockJump !== null && clockJump.at - clockJump.ms >= lastFullSweepAt ? clockJump.ms : 0;
  return Math.max(0, now - lastFullSweepAt - jumped);
}

function captureDown({ path, running, restarts }: HomeFacts): Finding[] {
  if (running && restarts === 0) return [];
  return [
    {
      code: 'capture_restarting',
      severity: running ? 'warning' : 'error',
      subject: path,
      message: running
        ? `the capture process of ${path} was started again ${count(restarts, 'time')} of late`
        : `the capture process of ${path} is not running`,
      hint: 'The log says why it ended. Nothing is lost: it reads on where it stopped.',
    },
  ];
}

function unreadablePaths({ path, unreadable }: HomeFacts): Finding[] {
  if (unreadable.length === 0) return [];
  return [
    {
      code: 'home_unreadable',
      severity: 'warning',
      subject: path,
      message: `${count(unreadable.length, 'path')} in ${path} cannot be read, among them ${unreadable[0]}`,
      hint: 'Check owner and mode of these paths; Holdfast reads as the owner of the home.',
    },
  ];
}

function watchDegraded({ path, watch }: HomeFacts, pollWished: boolean): Finding[] {
  if (watch === 'watching' || pollWished) return [];
  return [
    {
      code: 'watch_degraded',
      severity: 'warning',
      subject: path,
      message: `${path} is polled because watching it failed; rows come later, none is lost`,
      hint: 'Linux: raise fs.inotify.max_user_watches and max_user_instances. Network homes: set capture.watch to poll.',
    },
  ];
}

function sweepLate({ path, running, lastFullSweepAt }: HomeFacts, facts: HealthFacts): Finding[] {
  const ageMs = sweepAgeMs(lastFullSweepAt, facts);
  if (!running || ageMs <= LATE_FACTOR * facts.fullSweepMs) return [];
  const age = `${Math.floor(ageMs / 1000)} s`;
  return [
    {
      code: 'sweep_late',
      severity: ageMs > LOST_FACTOR * facts.fullSweepMs ? 'error' : 'warning',
      subject: path,
      message: `no full sweep of ${path} ended for ${age}; one is due every ${facts.fullSweepMs / 1000} s`,
      hint: 'The machine was asleep or busy, or a file system does not answer. If it stays so, raise capture.full_sweep_seconds.',
    },
  ];
}

/** Only after a whole sweep: before it, records may simply not have come yet. */
function parsedNothing({ path, sources, lastFullSweepAt }: HomeFacts): Finding[] {
  if (lastFullSweepAt === null) return [];
  return sources
    .filter(({ files, parsed }) => files > 0 && parsed === 0)
    .map(({ source, files }) => ({
      code: 'parsed_nothing',
      severity: 'warning',
      subject: `${path} ${source}`,
      message: `none of the sessions of ${source} in ${path} gave a row (${count(files, 'file')})`,
      hint: 'The coding agent may write another format by now. Look for a newer Holdfast, and report it.',
    }));
}

function quarantined({ path, quarantined: files }: HomeFacts): Finding[] {
  if (files.length === 0) return [];
  return [
    {
      code: 'file_quarantined',
      severity: 'warning',
      subject: path,
      message: `${count(files.length, 'file')} in ${path} set aside because reading ended a capture process, among them ${files[0]}`,
      hint: 'Every other file goes on. If the file is large, raise capture.memory_mb; report it in any case.',
    },
  ];
}
