import type { Committer } from '../capture/committer.ts';
import type { Clock, Timer } from '../contract/clock.ts';
import { errnoOf } from '../contract/errors.ts';
import type { Logger } from '../contract/logger.ts';
import type { Metrics } from '../contract/metrics.ts';
import { type Lane, SELF } from '../contract/row.ts';
import type { Store } from '../contract/store.ts';
import { writeMarker } from '../store/epoch.ts';
import type { HealthDocument } from '../telemetry/health.ts';
import { heartbeat } from '../telemetry/heartbeat.ts';
import { writeMetricsFile } from '../telemetry/metrics-file.ts';
import type { Runtime } from './runtime.ts';
import type { createSelfRows, SelfEvent } from './self-rows.ts';

export interface UpkeepDeps {
  readonly stateDir: string;
  readonly store: Store;
  readonly committer: Committer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Prometheus text of this moment. */
  readonly renderMetrics: () => string;
  readonly selfRows: ReturnType<typeof createSelfRows>;
  readonly health: () => HealthDocument;
  readonly runtime: () => Runtime;
  readonly watchClock: () => void;
  /** Rows were added beside the commits of capture. */
  readonly onCommitted: () => void;
}

export interface Upkeep {
  /** Writes a heartbeat now. */
  beat(): void;
  /** Writes a row about Holdfast itself. */
  tell(event: SelfEvent): void;
  stop(): void;
}

const COPIES_MS = 500;
const MARKER_MS = 5_000;
const PRUNE_MS = 60_000;
/** While there is more to forget than one slice, so that a week's backlog does not take a week to go. */
const PRUNE_ON_MS = 1_000;

/** What the keeper does beside reading and delivering: says that it lives, forgets what is delivered, keeps its marker. */
export function startUpkeep(deps: UpkeepDeps): Upkeep {
  const { clock, store } = deps;
  let beatTimer: Timer | undefined;
  let pruneTimer: Timer | undefined;
  let marked = 0;

  function tell(event: SelfEvent): void {
    deps.committer.submit(SELF, deps.selfRows(event), () => {});
  }

  function beat(): void {
    tell({ ...heartbeat(deps.health()), lane: 'live' });
    const { metricsFile } = deps.runtime().config.telemetry;
    if (metricsFile !== null) void writeMetrics(metricsFile);
  }

  async function writeMetrics(file: string): Promise<void> {
    try {
      await writeMetricsFile(file, deps.renderMetrics());
    } catch (error) {
      deps.logger.warn('the metrics file could not be written', {
        event: 'metrics.file',
        reason: errnoOf(error) ?? 'unknown',
      });
    }
  }

  function scheduleBeat(): void {
    beatTimer = clock.after(deps.runtime().config.telemetry.heartbeatSeconds * 1000, () => {
      guarded(deps, beat)();
      scheduleBeat();
    });
  }

  function mark(): void {
    deps.watchClock();
    const seq = store.lastSeq();
    if (seq === marked) return;
    writeMarker(deps.stateDir, { epoch: store.epoch, seq });
    marked = seq;
  }

  function prune(): void {
    if (store.prune(deps.runtime().deliveries.ids(), clock.now()) === 0) return;
    pruneTimer?.cancel();
    pruneTimer = clock.after(PRUNE_ON_MS, guarded(deps, prune));
  }

  function releaseCopies(): void {
    const count = (lane: Lane, rows: number) => deps.metrics.add('holdfast_rows_total', rows, { lane });
    if (store.releaseCopies(count) > 0) deps.onCommitted();
  }

  const timers = [
    clock.every(COPIES_MS, guarded(deps, releaseCopies)),
    clock.every(MARKER_MS, guarded(deps, mark)),
    clock.every(PRUNE_MS, guarded(deps, prune)),
  ];
  scheduleBeat();
  return {
    beat,
    tell,
    stop() {
      beatTimer?.cancel();
      pruneTimer?.cancel();
      for (const timer of timers) timer.cancel();
      guarded(deps, mark)();
    },
  };
}

/** A full or broken disk must not end the keeper: what waits, waits. */
function guarded({ logger }: UpkeepDeps, task: () => void): () => void {
  return () => {
    try {
      task();
    } catch (error) {
      logger.error('upkeep of the state directory failed', {
        event: 'upkeep.failed',
        reason: errnoOf(error) ?? String(error),
      });
    }
  };
}
