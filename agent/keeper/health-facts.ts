import type { Committer } from '../capture/committer.ts';
import type { SupervisorState } from '../capture/supervisor.ts';
import type { Clock } from '../contract/clock.ts';
import type { Store } from '../contract/store.ts';
import type { Home } from '../platform/homes.ts';
import type { Host } from '../platform/host.ts';
import type { HealthFacts, HomeFacts } from '../telemetry/health.ts';
import { createRecentGrowth } from '../telemetry/recent-growth.ts';
import type { Runtime } from './runtime.ts';

export interface HealthDeps {
  readonly clock: Clock;
  readonly host: Host;
  readonly version: string;
  readonly committer: Committer;
  readonly store: Store;
  /** What went wrong with the store when it was opened, or null. */
  readonly storeTrouble: string | null;
}

/** Gathers what health is judged by. */
export interface HealthGatherer {
  facts(runtime: Runtime): HealthFacts;
  /** Notes a jump of the wall clock against the monotonic one; call it now and then. */
  watchClock(): void;
}

/** A difference between the clocks larger than this is a jump, not drift. */
const JUMP_MS = 10_000;

const RECENT_MS = 3_600_000;

export function createHealthGatherer(deps: HealthDeps): HealthGatherer {
  const { clock, host, version, committer, store } = deps;
  const startedAt = clock.now();
  const startedMono = clock.monotonic();
  let offset = startedAt - startedMono;
  let clockJump: HealthFacts['clockJump'] = null;
  const restarts = new Map<string, { growth: (total: number) => number; last: number }>();

  /** A process that once ended is no trouble for ever. A reload begins to count at none again. */
  function recentRestarts(home: string, total: number): number {
    const before = restarts.get(home);
    const goesOn = before !== undefined && before.last <= total;
    const growth = goesOn ? before.growth : createRecentGrowth(clock, RECENT_MS);
    restarts.set(home, { growth, last: total });
    return growth(total);
  }

  return {
    watchClock() {
      const now = clock.now();
      const current = now - clock.monotonic();
      if (Math.abs(current - offset) > JUMP_MS) clockJump = { at: now, ms: Math.round(current - offset) };
      offset = current;
    },
    facts({ config, captures, deliveries, unreadable }) {
      const { error, full } = committer.state();
      const sinks = deliveries.states().map(({ status, backlog }) => ({ ...status, backlog }));
      return {
        now: clock.now(),
        version,
        startedAt,
        uptimeMs: clock.monotonic() - startedMono,
        host,
        fullSweepMs: config.capture.fullSweepSeconds * 1000,
        pollWished: config.capture.watch === 'poll',
        homes: captures
          .states()
          .map(({ home, state }) => homeFacts(home, state, recentRestarts(home.path, state.restarts))),
        unreadableHomes: unreadable(),
        store: {
          bytes: store.waitingBytes(),
          maxBytes: config.store.maxOutboxBytes,
          full,
          trouble: error ?? deps.storeTrouble,
        },
        sinks,
        rows: store.lastSeq(),
        heldRows: store.heldRows(),
        clockJump,
      };
    },
  };
}

function homeFacts(home: Home, state: SupervisorState, restarts: number): HomeFacts {
  const { capture } = state;
  return {
    path: home.path,
    user: home.user,
    running: state.running,
    restarts,
    watch: capture?.watchMode ?? 'watching',
    lastFullSweepAt: capture?.lastFullSweep ?? null,
    sources: Object.entries(capture?.files ?? {}).map(([source, files]) => ({
      source,
      files,
      parsed: capture?.parsed[source] ?? 0,
    })),
    unreadable: (capture?.unreadable ?? []).slice(0, 20),
    quarantined: state.quarantined,
    waiting: state.waiting,
  };
}
