import type { CaptureState } from '../capture/protocol.ts';
import type { Clock } from '../contract/clock.ts';
import type { Metrics } from '../contract/metrics.ts';
import type { Store } from '../contract/store.ts';
import type { Runtime } from './runtime.ts';

export interface GaugeDeps {
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly resident: () => number;
  readonly store: Pick<Store, 'heldRows' | 'waitingBytes'>;
}

/** Sets what is a state and not a count. Done when somebody looks, so that it costs nothing while nobody does. */
export function setGauges({ captures, deliveries }: Runtime, deps: GaugeDeps): void {
  const { metrics, clock } = deps;
  metrics.set('holdfast_resident_bytes', deps.resident());
  metrics.set('holdfast_held_rows', deps.store.heldRows());
  metrics.set('holdfast_outbox_stored_bytes', deps.store.waitingBytes());
  for (const { status, backlog } of deliveries.states()) {
    const labels = { sink: status.sink };
    metrics.set('holdfast_outbox_rows', backlog.rows, labels);
    metrics.set('holdfast_outbox_bytes', backlog.bytes, labels);
    const age = backlog.oldest === null ? 0 : Math.max(0, clock.now() - backlog.oldest) / 1000;
    metrics.set('holdfast_outbox_oldest_seconds', age, labels);
  }
  const files: Record<string, number> = {};
  for (const { home, state } of captures.states()) {
    metrics.set('holdfast_waiting_files', state.waiting, { home: home.path });
    if (state.capture) setHomeGauges(home.path, state.capture, { metrics, clock });
    for (const [source, count] of Object.entries(state.capture?.files ?? {}))
      files[source] = (files[source] ?? 0) + count;
  }
  for (const [source, count] of Object.entries(files)) metrics.set('holdfast_files', count, { source });
}

function setHomeGauges(
  home: string,
  capture: CaptureState,
  { metrics, clock }: Pick<GaugeDeps, 'metrics' | 'clock'>,
): void {
  metrics.set('holdfast_watch_degraded', capture.watchMode === 'polling' ? 1 : 0, { home });
  metrics.set('holdfast_pinned_files', capture.pinned, { home });
  metrics.set('holdfast_min_days_to_expiry', capture.minDaysToExpiry ?? Number.POSITIVE_INFINITY, { home });
  if (capture.lastFullSweep === null) return;
  metrics.set('holdfast_sweep_age_seconds', (clock.now() - capture.lastFullSweep) / 1000, { home });
}
