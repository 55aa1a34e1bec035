import type { Metrics } from '../contract/metrics.ts';
import type { SendResult } from '../contract/sink.ts';
import { backoffMs, retryDelayMs } from './backoff.ts';
import type { Condition } from './condition.ts';
import type { Delivery, Piece } from './delivery.ts';
import type { LaneBoard } from './lanes.ts';
import type { Verdict } from './verdict.ts';

/** Every so many failures in a row the piece at hand is halved, down to SHRINK_BYTES. */
const SHRINK_EVERY = 4;
const SHRINK_BYTES = 32 * 1024;

export interface OutcomeDeps {
  readonly sink: string;
  readonly condition: Condition;
  readonly verdict: Verdict;
  readonly board: LaneBoard;
  readonly metrics: Metrics;
  readonly random: () => number;
  readonly unauthorizedMs: number;
}

/** What follows from an answer. */
export interface Outcome {
  /** Books the answer to the front piece; returns how many milliseconds nothing may be sent. */
  apply(delivery: Delivery, result: SendResult): number;
  /** Leaves the batch in the outbox, to be taken again with what came in since; returns the same. */
  putBack(delivery: Delivery): number;
}

export function createOutcome(deps: OutcomeDeps): Outcome {
  return new Bookkeeper(deps);
}

class Bookkeeper implements Outcome {
  readonly #deps: OutcomeDeps;

  constructor(deps: OutcomeDeps) {
    this.#deps = deps;
  }

  apply(delivery: Delivery, result: SendResult): number {
    const piece = delivery.front();
    if (!piece) throw new Error('an answer came for a delivery without open pieces');
    switch (result.kind) {
      case 'accepted':
        delivery.accept();
        return this.#acknowledged(delivery, piece, piece.batch.rows);
      case 'partial':
        return this.#answered(delivery, piece, result);
      case 'retry':
        return this.#failed(delivery, result.reason, result.afterMs);
      case 'refused':
        return this.#refused(delivery, piece, result);
      case 'unauthorized':
        this.#deps.condition.failed('unauthorized', result.reason);
        return this.#deps.unauthorizedMs * (1 + this.#deps.random() / 10);
    }
  }

  putBack(delivery: Delivery): number {
    const { board, condition, random } = this.#deps;
    board.clear(delivery);
    const failures = condition.failed('refusing', delivery.suspects[0]?.reason ?? '');
    return backoffMs(failures, random);
  }

  #acknowledged(delivery: Delivery, piece: Piece, rows: number): number {
    const { sink, condition, verdict, metrics } = this.#deps;
    condition.acknowledged();
    if (rows === 0) return 0;
    verdict.accepted();
    const bytes = Math.round((piece.batch.ndjson.length * rows) / piece.batch.rows);
    metrics.add('holdfast_sent_rows_total', rows, { sink, lane: delivery.batch.lane });
    metrics.add('holdfast_sent_bytes_total', bytes, { sink });
    return 0;
  }

  #answered(delivery: Delivery, piece: Piece, result: SendResult & { kind: 'partial' }): number {
    const { sink, board, condition, metrics, random } = this.#deps;
    const { rejected, retry, afterMs } = result;
    const rows = delivery.answer(rejected, retry);
    if (retry.length === 0) return this.#acknowledged(delivery, piece, rows);
    const fruitless = delivery.fruitless();
    // Only this lane waits: the sink answers, so an alert may still get through.
    board.hold(delivery, retryDelayMs(Math.max(1, fruitless), afterMs, random));
    if (fruitless > 0) condition.failed('retrying', `${retry.length} rows are to be sent again`);
    else metrics.add('holdfast_send_retries_total', 1, { sink });
    return rows > 0 ? this.#acknowledged(delivery, piece, rows) : 0;
  }

  #failed(delivery: Delivery, reason: string, afterMs: number | undefined): number {
    const failures = this.#deps.condition.failed('retrying', reason);
    // A slow or broken line may let small requests through where large ones run into the timeout.
    if (failures % SHRINK_EVERY === 0) delivery.shrink(SHRINK_BYTES);
    return retryDelayMs(failures, afterMs, this.#deps.random);
  }

  #refused(delivery: Delivery, piece: Piece, result: SendResult & { kind: 'refused' }): number {
    const { board, verdict } = this.#deps;
    if (result.cause === 'too_large') {
      if (piece.batch.rows > 1) board.tooLarge(piece.batch.ndjson.length);
      delivery.tooLarge(result.reason);
      return 0;
    }
    delivery.invalid(result.reason);
    return verdict.isHopeless(delivery) ? this.putBack(delivery) : 0;
  }
}
