import { subBatch } from '../contract/batch.ts';
import type { Batch, RejectedRow } from '../contract/sink.ts';
import type { BatchLimits, OutboxBatch } from '../contract/store.ts';
import { chunksOf, halvesOf } from './split.ts';

/** Rows of a batch that travel together. `batch` is the whole batch as long as it was never split. */
export interface Piece {
  readonly indices: readonly number[];
  readonly batch: Batch;
  /** The other half of a refused piece, when it is sent right after this one. */
  readonly other?: Piece;
}

/** What becomes of one batch, piece by piece, until every row of it has an outcome. */
export interface Delivery {
  readonly batch: OutboxBatch;
  /** Next piece to send; undefined when every row has an outcome. */
  front(): Piece | undefined;
  /** Every row of the front piece is durable at the sink. */
  accept(): void;
  /** The front piece was answered row by row: rows named in neither list are durable. Returns how many. */
  answer(rejected: readonly RejectedRow[], retry: readonly number[]): number;
  /** Answers in a row that left rows to retry and took none. */
  fruitless(): number;
  /** The front piece is too large: halves take its place; a row alone is rejected. */
  tooLarge(reason: string): void;
  /** The front piece holds something that the sink refuses: halves take its place; a row alone is a suspect. */
  invalid(reason: string): void;
  /** Halves the front piece if it is larger than `bytes`, for a line on which large requests do not get through. */
  shrink(bytes: number): void;
  /** Rows that the sink said it will never take. */
  readonly rejected: readonly RejectedRow[];
  /** Rows refused alone as invalid: poison if the sink takes other rows, no evidence if it takes none. */
  readonly suspects: readonly RejectedRow[];
  acceptedRows(): number;
}

export interface DeliveryOptions {
  /** Largest piece that the sink shall get; a row that is larger by itself goes alone. */
  readonly limits?: BatchLimits;
  /** Tries the second half of a refused piece first. */
  readonly fromEnd?: boolean;
}

const NO_LIMITS: BatchLimits = { maxRows: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

export function createDelivery(batch: OutboxBatch, options: DeliveryOptions = {}): Delivery {
  const chunks = chunksOf(batch.ndjson, options.limits ?? NO_LIMITS);
  const pieces: Piece[] = chunks.map((indices) => pieceOf(batch, indices));
  const rejected: RejectedRow[] = [];
  const suspects: RejectedRow[] = [];
  let accepted = 0;
  let fruitless = 0;

  /** Takes the front piece out and puts others in its place. */
  function replaceFront(...others: Piece[]): Piece {
    const [front] = pieces.splice(0, 1, ...others);
    if (!front) throw new Error('a delivery without open pieces was answered');
    return front;
  }

  function halve(piece: Piece): readonly [Piece, Piece] {
    const [first, second] = halvesOf(piece.indices, options.fromEnd);
    return [pieceOf(batch, first), pieceOf(batch, second)];
  }

  /** Halves a piece that holds a refused row; the first half knows its other half. */
  function bisect(piece: Piece): void {
    const [first, other] = halve(piece);
    replaceFront({ ...first, other }, other);
  }

  return {
    batch,
    rejected,
    suspects,
    front: () => pieces[0],
    acceptedRows: () => accepted,
    fruitless: () => fruitless,
    accept() {
      const piece = replaceFront();
      accepted += piece.indices.length;
      // A half that is fine leaves the refused row to the other half, which need not be sent whole to know it.
      if (piece.other && piece.other.indices.length > 1 && pieces[0] === piece.other) bisect(piece.other);
    },
    answer(rejectedHere, retryHere) {
      const piece = replaceFront();
      const outcome = outcomeOf(piece, rejectedHere, retryHere);
      rejected.push(...outcome.rejected);
      const taken = piece.indices.length - outcome.rejected.length - outcome.retry.length;
      accepted += taken;
      fruitless = taken === 0 && outcome.retry.length > 0 ? fruitless + 1 : 0;
      if (outcome.retry.length > 0) pieces.unshift(pieceOf(batch, outcome.retry));
      return taken;
    },
    tooLarge(reason) {
      const piece = pieces[0];
      const [only, more] = piece?.indices ?? [];
      if (piece && more !== undefined) return void replaceFront(...halve(piece));
      replaceFront();
      if (only !== undefined) rejected.push({ index: only, reason });
    },
    invalid(reason) {
      const piece = pieces[0];
      const [only, more] = piece?.indices ?? [];
      if (piece && more !== undefined) return bisect(piece);
      replaceFront();
      if (only !== undefined) suspects.push({ index: only, reason });
    },
    shrink(bytes) {
      const piece = pieces[0];
      if (!piece || piece.indices.length < 2 || piece.batch.ndjson.length <= bytes) return;
      replaceFront(...halve(piece));
    },
  };
}

function pieceOf(batch: OutboxBatch, indices: readonly number[]): Piece {
  return { indices, batch: indices.length === batch.rows ? batch : subBatch(batch, indices) };
}

/** Positions inside a piece become positions inside its batch; positions that do not exist are ignored. */
function outcomeOf(piece: Piece, rejected: readonly RejectedRow[], retry: readonly number[]) {
  const reasons = new Map<number, string>();
  for (const { index, reason } of rejected) {
    const row = piece.indices[index];
    if (row !== undefined) reasons.set(row, reason);
  }
  const again = new Set<number>();
  for (const index of retry) {
    const row = piece.indices[index];
    if (row !== undefined && !reasons.has(row)) again.add(row);
  }
  return {
    rejected: Array.from(reasons, ([index, reason]) => ({ index, reason })),
    retry: [...again].sort((a, b) => a - b),
  };
}
