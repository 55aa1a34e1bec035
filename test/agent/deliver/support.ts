import type { Logger } from '../../../agent/contract/logger.ts';
import type { MetricLabels, Metrics } from '../../../agent/contract/metrics.ts';
import { LANES, type Lane, type Row } from '../../../agent/contract/row.ts';
import type { Batch, SendResult, Sink } from '../../../agent/contract/sink.ts';
import type { BatchLimits, OutboxBatch } from '../../../agent/contract/store.ts';
import { createShipper, type ShipperOptions } from '../../../agent/deliver/shipper.ts';
import { batchOf, textsOf } from '../../support/batches.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';
import { onCleanUp } from '../../support/temp.ts';

/** A store as far as a shipper sees it: rows in lanes, a position in each, rows set aside. */
export class MemoryStore {
  readonly #rows: Record<Lane, Row[]> = { alert: [], live: [], backfill: [] };
  readonly #positions: Record<Lane, number> = { alert: 0, live: 0, backfill: 0 };
  readonly setAside: { readonly text: string; readonly reason: string }[] = [];
  settled = 0;
  /** Thrown by the next calls, as long as it is set. */
  failure: Error | undefined;

  add(lane: Lane, rows: readonly Row[]): void {
    this.#rows[lane].push(...rows);
  }

  waiting(): number {
    let rows = 0;
    for (const lane of LANES) rows += this.#rows[lane].length - this.#positions[lane];
    return rows;
  }

  take(_sink: string, lane: Lane, limits: BatchLimits): OutboxBatch | undefined {
    if (this.failure) throw this.failure;
    const from = this.#positions[lane];
    const rows = this.#rows[lane].slice(from, from + limits.maxRows);
    return rows.length === 0 ? undefined : { ...batchOf(rows, lane), upTo: from + rows.length };
  }

  settle(_sink: string, batch: OutboxBatch, rejected: readonly { index: number; reason: string }[]): void {
    if (this.failure) throw this.failure;
    const texts = textsOf(batch.ndjson);
    this.settled++;
    this.#positions[batch.lane] = batch.upTo;
    for (const { index, reason } of rejected) this.setAside.push({ text: texts[index] ?? '', reason });
  }
}

export type Answerer = (batch: Batch, count: number, signal: AbortSignal) => SendResult | Promise<SendResult>;

/** A sink that answers as told and remembers what it was sent. */
export class FakeSink implements Sink {
  readonly id = 'central';
  readonly sent: Batch[] = [];
  readonly #clock: FakeClock;
  /** Monotonic time of every request. */
  readonly times: number[] = [];
  /** Texts of rows that are durable at this end. */
  readonly taken: string[] = [];
  answer: Answerer;
  inFlight = 0;
  mostInFlight = 0;

  constructor(clock: FakeClock, answer: Answerer = () => ACCEPTED) {
    this.#clock = clock;
    this.answer = answer;
  }

  async send(batch: Batch, signal: AbortSignal): Promise<SendResult> {
    this.sent.push(batch);
    this.times.push(this.#clock.monotonic());
    this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
    try {
      const result = await this.answer(batch, this.sent.length, signal);
      this.#take(batch, result);
      return result;
    } finally {
      this.inFlight--;
    }
  }

  probe() {
    return Promise.resolve({ ok: true } as const);
  }

  close() {
    return Promise.resolve();
  }

  #take(batch: Batch, result: SendResult): void {
    const texts = textsOf(batch.ndjson);
    if (result.kind === 'accepted') this.taken.push(...texts);
    if (result.kind !== 'partial') return;
    const not = new Set([...result.retry, ...result.rejected.map(({ index }) => index)]);
    this.taken.push(...texts.filter((_, index) => !not.has(index)));
  }
}

export const ACCEPTED: SendResult = { kind: 'accepted' };
export const BUSY: SendResult = { kind: 'retry', reason: 'status 503' };

/** Refuses every batch that holds one of these rows, as a collector without per-row answers does. */
export function poisonedBy(...texts: readonly string[]): Answerer {
  return (batch) =>
    textsOf(batch.ndjson).some((text) => texts.includes(text))
      ? { kind: 'refused', cause: 'invalid', reason: 'status 400' }
      : ACCEPTED;
}

export interface RigOptions extends Partial<ShipperOptions> {
  readonly answer?: Answerer;
  readonly random?: () => number;
}

/** A shipper between a memory store and a fake sink, on a clock that is moved by hand. */
export function rig({ answer, random = () => 0.5, ...options }: RigOptions = {}) {
  const clock = new FakeClock();
  const store = new MemoryStore();
  const sink = new FakeSink(clock, answer);
  const events: string[] = [];
  const counts = new Map<string, number>();
  const shipper = createShipper({
    sink,
    store,
    clock,
    logger: recorder(events),
    metrics: counter(counts),
    options,
    random,
  });
  onCleanUp(() => shipper.stop());
  return { clock, store, sink, shipper, events, counts };
}

/** Lets everything run that needs no time to pass. */
export async function quiet(): Promise<void> {
  for (let round = 0; round < 200; round++) await settle();
}

function recorder(events: string[]): Logger {
  const note = (_message: string, fields: { readonly event: string }) => void events.push(fields.event);
  const logger: Logger = { debug() {}, info() {}, warn: note, error: note, child: () => logger };
  return logger;
}

function counter(counts: Map<string, number>): Metrics {
  const keyOf = (name: string, labels: MetricLabels = {}) => [name, ...Object.values(labels)].join(' ');
  return {
    add(name, amount = 1, labels) {
      counts.set(keyOf(name, labels), (counts.get(keyOf(name, labels)) ?? 0) + amount);
    },
    set(name, value, labels) {
      counts.set(keyOf(name, labels), value);
    },
  };
}
