import type { RejectedRow } from '../contract/sink.ts';
import type { Delivery } from './delivery.ts';

/** Rows that may be set aside as poison in a row while the sink takes nothing. */
export const TRUST_ROWS = 16;

/** Rounds after which a few rows that were refused alone every time are set aside for good. */
export const LAST_RESORT_ROUNDS = 10;

/**
 * Tells poison rows from a collector that refuses everything. A row refused alone is poison if the sink
 * takes other rows, in this delivery or shortly before. If it takes none, setting rows aside would empty
 * the outbox into nowhere: they stay, and are tried again later together with what came in since.
 */
export interface Verdict {
  accepted(): void;
  /** Whether going on with this delivery is pointless for now. */
  isHopeless(delivery: Delivery): boolean;
  /** Rows to set aside now that every row has an outcome; undefined when the batch is to stay. */
  judge(delivery: Delivery): readonly RejectedRow[] | undefined;
  /** The next round starts from the other end, so that a run of poison at one end hides nothing. */
  fromEnd(): boolean;
}

export function createVerdict(): Verdict {
  let trust = 0;
  let rounds = 0;

  /** Whether rows that the sink refused alone may be set aside; uses up trust when nothing else speaks for it. */
  function mayBury(delivery: Delivery): boolean {
    const { suspects } = delivery;
    if (delivery.acceptedRows() > 0 || suspects.length === 0) return true;
    if (suspects.length <= trust) {
      trust -= suspects.length;
      return true;
    }
    return suspects.length <= TRUST_ROWS && rounds + 1 >= LAST_RESORT_ROUNDS;
  }

  return {
    accepted() {
      trust = TRUST_ROWS;
      rounds = 0;
    },
    isHopeless(delivery) {
      const hopeless = delivery.suspects.length > TRUST_ROWS && delivery.acceptedRows() === 0;
      if (hopeless) rounds++;
      return hopeless;
    },
    judge(delivery) {
      if (!mayBury(delivery)) {
        rounds++;
        return undefined;
      }
      if (delivery.suspects.length > 0) rounds = 0;
      return [...delivery.rejected, ...delivery.suspects].sort((a, b) => a.index - b.index);
    },
    fromEnd: () => rounds % 2 === 1,
  };
}
