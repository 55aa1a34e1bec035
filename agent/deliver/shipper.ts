import type { Clock } from '../contract/clock.ts';
import { messageOf } from '../contract/errors.ts';
import type { Logger } from '../contract/logger.ts';
import type { Metrics } from '../contract/metrics.ts';
import type { Sink } from '../contract/sink.ts';
import type { BatchLimits, Store } from '../contract/store.ts';
import { attempt } from './attempt.ts';
import { backoffMs } from './backoff.ts';
import { type Condition, createCondition, type SinkStatus } from './condition.ts';
import type { Delivery } from './delivery.ts';
import { createDrains } from './drains.ts';
import { createLaneBoard, type LaneBoard, type Work } from './lanes.ts';
import { createOutcome, type Outcome } from './outcome.ts';
import { createVerdict } from './verdict.ts';
import { createWaiter } from './waiter.ts';

/** Sends everything in the outbox to one sink, one request at a time, and moves its positions. */
export interface Shipper {
  start(): void;
  /** Rows were committed: an idle shipper looks at once. */
  poke(): void;
  /**
   * Resolves with true once nothing waits any more; with false after the timeout, or as soon as it is
   * clear that the next attempt lies beyond it. Does not stop the shipper.
   */
  drain(timeoutMs: number): Promise<boolean>;
  /** Gives up the request under way and ends. The sink stays open. */
  stop(): Promise<void>;
  status(): SinkStatus;
}

export interface ShipperOptions {
  readonly limits: BatchLimits;
  /** Guard against a sink that never answers; sinks have shorter timeouts of their own. */
  readonly attemptTimeoutMs: number;
  /** Pause between attempts while the credential is not accepted. */
  readonly unauthorizedMs: number;
  /** A random delay up to this before the first request, so that a fleet does not start as one. */
  readonly startSpreadMs: number;
}

export interface ShipperDeps {
  readonly sink: Sink;
  readonly store: Pick<Store, 'take' | 'settle'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly options?: Partial<ShipperOptions>;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
}

const DEFAULTS: ShipperOptions = {
  limits: { maxRows: 500, maxBytes: 1 << 20 },
  attemptTimeoutMs: 15 * 60_000,
  unauthorizedMs: 60_000,
  startSpreadMs: 0,
};

/** An idle shipper looks this often without being poked. */
const IDLE_LOOK_MS = 30_000;

export function createShipper(deps: ShipperDeps): Shipper {
  return new Loop(deps);
}

class Loop implements Shipper {
  readonly #sink: Sink;
  readonly #store: Pick<Store, 'take' | 'settle'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #random: () => number;
  readonly #options: ShipperOptions;
  readonly #condition: Condition;
  readonly #verdict = createVerdict();
  readonly #board: LaneBoard;
  readonly #outcome: Outcome;
  readonly #waiter: ReturnType<typeof createWaiter>;
  readonly #drains: ReturnType<typeof createDrains>;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  /** Nothing is sent before this monotonic time. */
  #closedUntil = 0;
  #storeFailures = 0;

  constructor({ sink, store, clock, logger, metrics, options, random = Math.random }: ShipperDeps) {
    this.#sink = sink;
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger.child('deliver');
    this.#random = random;
    this.#options = { ...DEFAULTS, ...options };
    this.#waiter = createWaiter(clock);
    this.#drains = createDrains(clock);
    this.#condition = createCondition({ sink: sink.id, clock, logger: this.#logger, metrics });
    const { limits, unauthorizedMs } = this.#options;
    this.#board = createLaneBoard({ take: (lane) => store.take(sink.id, lane, limits), limits, clock });
    this.#outcome = createOutcome({
      sink: sink.id,
      condition: this.#condition,
      verdict: this.#verdict,
      board: this.#board,
      metrics,
      random,
      unauthorizedMs,
    });
  }

  start(): void {
    this.#running ??= this.#run();
  }

  poke(): void {
    this.#waiter.wake();
  }

  drain(timeoutMs: number): Promise<boolean> {
    if (!this.#running || this.#stopping.signal.aborted) return Promise.resolve(false);
    const drained = this.#drains.add(timeoutMs);
    this.#drains.blocked(this.#closedUntil - this.#clock.monotonic());
    this.#waiter.wake();
    return drained;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#waiter.stop();
    this.#drains.end();
    await this.#running;
  }

  status(): SinkStatus {
    return this.#condition.status();
  }

  async #run(): Promise<void> {
    this.#close(this.#random() * this.#options.startSpreadMs);
    while (!this.#stopping.signal.aborted) await this.#step();
  }

  async #step(): Promise<void> {
    const closedMs = this.#closedUntil - this.#clock.monotonic();
    if (closedMs > 0) return await this.#pause(closedMs, false);
    const work = this.#nextWork();
    if (!work) return;
    if (work.kind === 'deliver') return await this.#advance(work.delivery);
    if (work.kind === 'wait') return await this.#pause(work.ms, true);
    this.#drains.done();
    await this.#waiter.wait(IDLE_LOOK_MS, { wakeable: true });
  }

  #pause(ms: number, wakeable: boolean): Promise<void> {
    this.#drains.blocked(ms);
    return this.#waiter.wait(ms, { wakeable });
  }

  #close(ms: number): void {
    this.#closedUntil = this.#clock.monotonic() + ms;
  }

  #nextWork(): Work | undefined {
    try {
      return this.#board.next({ fromEnd: this.#verdict.fromEnd() });
    } catch (error) {
      this.#close(this.#storeFailed('Outbox cannot be read; delivery waits', error));
      return undefined;
    }
  }

  /** One request of the delivery, or its end. */
  async #advance(delivery: Delivery): Promise<void> {
    const piece = delivery.front();
    if (!piece) {
      this.#close(this.#finish(delivery));
      return;
    }
    const result = await attempt(this.#sink, piece.batch, {
      clock: this.#clock,
      timeoutMs: this.#options.attemptTimeoutMs,
      signal: this.#stopping.signal,
      onBug: (error) => this.#logBug(error),
    });
    if (!this.#stopping.signal.aborted) this.#close(this.#outcome.apply(delivery, result));
  }

  /** Every row has an outcome: moves the position. Returns how many milliseconds nothing may be sent. */
  #finish(delivery: Delivery): number {
    const rejected = this.#verdict.judge(delivery);
    if (!rejected) return this.#outcome.putBack(delivery);
    try {
      this.#store.settle(this.#sink.id, delivery.batch, rejected);
    } catch (error) {
      return this.#storeFailed('Position cannot be moved; it is tried again', error);
    }
    this.#storeFailures = 0;
    this.#board.clear(delivery);
    this.#condition.rejected(rejected.length, rejected[0]?.reason ?? '');
    return 0;
  }

  #storeFailed(message: string, error: unknown): number {
    this.#storeFailures++;
    this.#logger.error(message, {
      event: 'deliver.store',
      sink: this.#sink.id,
      reason: messageOf(error),
    });
    return backoffMs(this.#storeFailures, this.#random);
  }

  #logBug(error: unknown): void {
    this.#logger.error('Sink failed in an unexpected way', {
      event: 'sink.bug',
      sink: this.#sink.id,
      reason: messageOf(error),
    });
  }
}
