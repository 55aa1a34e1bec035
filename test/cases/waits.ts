import type { HealthDocument } from '../../agent/telemetry/health.ts';
import type { AgentUnderTest } from './agent-under-test.ts';
import type { Pulse } from './pulse.ts';
import { LIMIT_MS, QUIET_MS } from './times.ts';

/** What steps wait for. Every wait is bounded and throws when it takes too long. */
export interface Waits {
  idle(): Promise<void>;
  settled(): Promise<void>;
  rescan(): Promise<void>;
  /** Nothing more will come of what is in the home now. */
  end(): Promise<void>;
}

/** A sweep that ends this long after a change began after it: a case's small home is swept in much less. */
const SWEEP_MS = 500;

export function createWaits(agent: AgentUnderTest, pulse: Pulse): Waits {
  async function quiet(wanted: () => number, isOver = isThrough): Promise<void> {
    if (!agent.isRunning()) return;
    const end = performance.now() + LIMIT_MS.idle;
    while (pulse.quietMs() < wanted() || !isOver(await agent.health())) {
      if (performance.now() > end) throw new Error(notThrough(await agent.health()));
      await pause(pulse.quietMs() < wanted() ? 20 : 100);
    }
  }

  return {
    idle: () => quiet(() => (pulse.hasAnswered() ? QUIET_MS.afterRows : QUIET_MS.withoutRows)),
    settled: () => quiet(() => QUIET_MS.withoutRows, isSettled),
    end: () => quiet(() => QUIET_MS.withoutRows, isSettled),
    async rescan() {
      await fullSweep(agent);
      await quiet(() => QUIET_MS.afterRows);
    },
  };
}

/** Every home was swept since the start, and nothing waits for the collector. */
function isThrough(health: HealthDocument | undefined): boolean {
  if (!health) return false;
  const swept = health.homes.every(({ running, last_full_sweep_at: at }) => running && at !== null);
  return swept && health.totals.backlog_rows === 0;
}

/** The same, and no unfinished end and no copy from a secondary file waits for its time. */
function isSettled(health: HealthDocument | undefined): boolean {
  return isThrough(health) && health?.totals.waiting_files === 0 && health.totals.held_rows === 0;
}

function notThrough(health: HealthDocument | undefined): string {
  const said = health?.problems.map(({ code, message }) => `${code}: ${message}`).join('; ');
  const { backlog_rows = 'unknown', held_rows = 0, waiting_files = 0 } = health?.totals ?? {};
  const waiting = `${backlog_rows} rows, ${held_rows} copies and ${waiting_files} files wait`;
  return `the agent is not through after ${LIMIT_MS.idle} ms: ${waiting}${said ? `; ${said}` : ''}`;
}

/** Resolves when every home had a full sweep that began after now. */
async function fullSweep(agent: AgentUnderTest): Promise<void> {
  const since = Date.now() + SWEEP_MS;
  const end = performance.now() + LIMIT_MS.rescan;
  const isSwept = (at: string | null) => at !== null && Date.parse(at) > since;
  while (!(await agent.health())?.homes.every(({ last_full_sweep_at: at }) => isSwept(at))) {
    if (performance.now() > end) throw new Error(`no full sweep within ${LIMIT_MS.rescan} ms`);
    await pause(100);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
