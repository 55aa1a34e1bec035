import type { Lane } from './row.ts';

/** A sealed set of rows. Its body is made once, so a retry sends the same bytes. */
export interface Batch {
  /** Hash over the ordered row ids: the same rows in the same order give the same id. */
  readonly id: string;
  readonly lane: Lane;
  readonly rows: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** The rows as NDJSON, one a line, each ended by a line feed. */
  readonly ndjson: Buffer;
  readonly rowIds: readonly string[];
  /** Epoch in which these rows were numbered, when it is an earlier one than the sender's own. */
  readonly epoch?: string;
}

/** Facts about the sender that go with every batch. */
export interface BatchOrigin {
  readonly hostId: string;
  /** Names one life of the state directory; `seq` is gapless within it. */
  readonly epoch: string;
}

/** The sender's facts for one batch: rows go under the epoch that gave them their numbers. */
export function originOf(batch: Batch, origin: BatchOrigin): BatchOrigin {
  return batch.epoch === undefined ? origin : { ...origin, epoch: batch.epoch };
}

/** A row that the collector will never take. `index` counts from 0 inside the batch. */
export interface RejectedRow {
  readonly index: number;
  readonly reason: string;
}

/**
 * What became of one send.
 * - accepted: every row is durable at the other end.
 * - partial: the rows in `rejected` never will be, those in `retry` may be later, all others are durable.
 * - retry: nothing is known to have arrived; try again, not before `afterMs` when given.
 * - refused: the whole batch was refused for what it is. `too_large` may be split; `invalid` may be bisected.
 * - unauthorized: the credential is not accepted; nothing will be until it changes.
 */
export type SendResult =
  | { readonly kind: 'accepted' }
  | {
      readonly kind: 'partial';
      readonly rejected: readonly RejectedRow[];
      readonly retry: readonly number[];
      readonly afterMs?: number;
    }
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number }
  | { readonly kind: 'refused'; readonly cause: 'too_large' | 'invalid'; readonly reason: string }
  | { readonly kind: 'unauthorized'; readonly reason: string };

/** One destination. Sends once, never retries by itself, throws only on bugs. */
export interface Sink {
  /** Name from the configuration; positions are kept under it. */
  readonly id: string;
  send(batch: Batch, signal: AbortSignal): Promise<SendResult>;
  /** Whether the other end answers and takes our credential, without sending rows. */
  probe(signal: AbortSignal): Promise<ProbeResult>;
  close(): Promise<void>;
}

export type ProbeResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };
