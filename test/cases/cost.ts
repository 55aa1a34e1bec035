import { type Case, loadCase } from './case.ts';
import { AGENT_TIMES, QUIET_MS } from './times.ts';

/** Time that a case spends waiting, roughly: the longest ones start first, so that none is left over at the end. */
function waitingMs({ steps, inject, answers }: Case): number {
  const once = steps.reduce((sum, step) => {
    if (step.op === 'wait_rescan') return sum + AGENT_TIMES.fullSweepSeconds * 1000;
    if (step.op === 'wait_ms') return sum + step.ms;
    return sum + (step.op.startsWith('wait_') ? QUIET_MS.withoutRows : 0);
  }, answers.length * 1000);
  return once * (inject?.['fs.watch'].length ?? 1);
}

/** The folders of cases, the slowest first. What cannot be read takes no time. */
export function slowestFirst(dirs: readonly string[]): string[] {
  return dirs
    .map((dir) => ({ dir, ms: costOf(dir) }))
    .sort((a, b) => b.ms - a.ms)
    .map(({ dir }) => dir);
}

function costOf(dir: string): number {
  try {
    return waitingMs(loadCase(dir));
  } catch {
    return 0;
  }
}
