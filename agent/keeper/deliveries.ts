import type { Config, SinkConfig } from '../../config/resolve.ts';
import type { Clock } from '../contract/clock.ts';
import type { Logger } from '../contract/logger.ts';
import type { Metrics } from '../contract/metrics.ts';
import type { Sink } from '../contract/sink.ts';
import type { Backlog, Store } from '../contract/store.ts';
import type { SinkStatus } from '../deliver/condition.ts';
import { createShipper, type Shipper } from '../deliver/shipper.ts';
import type { SinkDeps } from '../sinks/deps.ts';
import { createSink } from '../sinks/index.ts';

export interface DeliveryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly sinkDeps: SinkDeps;
  readonly onSettled: () => void;
}

export interface Delivery {
  readonly status: SinkStatus;
  readonly backlog: Backlog;
}

/** Every configured sink with its shipper. */
export interface Deliveries {
  start(): void;
  /** Rows were committed. */
  poke(): void;
  ids(): readonly string[];
  states(): Delivery[];
  /** Sends what waits, as far as the time allows, and ends. */
  stop(drainMs: number): Promise<void>;
}

export function createDeliveries(sinks: readonly SinkConfig[], deps: DeliveryDeps): Deliveries {
  const pairs = sinks.map((config) => deliver(config, deps));
  return {
    start: () => {
      for (const { shipper } of pairs) shipper.start();
    },
    poke: () => {
      for (const { shipper } of pairs) shipper.poke();
    },
    ids: () => pairs.map(({ sink }) => sink.id),
    states: () =>
      pairs.map(({ sink, shipper }) => ({ status: shipper.status(), backlog: deps.store.backlog(sink.id) })),
    async stop(drainMs) {
      await Promise.all(
        pairs.map(async ({ sink, shipper }) => {
          if (drainMs > 0) await shipper.drain(drainMs);
          await shipper.stop();
          await sink.close();
        }),
      );
    },
  };
}

function deliver(config: SinkConfig, deps: DeliveryDeps): { sink: Sink; shipper: Shipper } {
  const { store, clock, logger, metrics } = deps;
  const sink = createSink(config, { ...deps.sinkDeps, metrics });
  const shipper = createShipper({
    sink,
    store: {
      take: (...args) => store.take(...args),
      settle: (...args) => {
        store.settle(...args);
        deps.onSettled();
      },
    },
    clock,
    logger,
    metrics,
    options: { limits: config.batch },
  });
  return { sink, shipper };
}

/** Sinks of the configuration, or the embedded collector when there is none. */
export function sinksOf(
  config: Config,
  embedded: { readonly url: string; readonly tokenFile: string } | undefined,
): SinkConfig[] {
  if (!embedded) return [...config.sinks];
  const sink: SinkConfig = {
    type: 'http',
    id: 'embedded',
    url: embedded.url,
    compression: 'zstd',
    tokenFile: embedded.tokenFile,
    tokenEnv: null,
    caFile: null,
    certFile: null,
    keyFile: null,
    proxy: null,
    proxyAuthFile: null,
    proxyAuthEnv: null,
    noProxy: [],
    timeoutMs: 10_000,
    allowInsecure: false,
    batch: { maxRows: 500, maxBytes: 1024 * 1024 },
  };
  return [...config.sinks, sink];
}
