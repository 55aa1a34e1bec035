import type { Clock } from '../contract/clock.ts';
import { LANES, type Lane } from '../contract/row.ts';
import type { BatchLimits, OutboxBatch } from '../contract/store.ts';
import { createDelivery, type Delivery, type DeliveryOptions } from './delivery.ts';

/** How long a size that was refused as too large is remembered. */
const CAP_KEPT_MS = 60 * 60_000;

export type Work =
  | { readonly kind: 'deliver'; readonly delivery: Delivery }
  /** Rows of the lane wait for their time; a more urgent lane may be used before. */
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'idle' };

/** At most one delivery a lane, so that an alert overtakes a batch that is being split or retried. */
export interface LaneBoard {
  /** What to do now. Less urgent lanes stay closed while a more urgent one waits. */
  next(options: Pick<DeliveryOptions, 'fromEnd'>): Work;
  /** Not before this long from now. */
  hold(delivery: Delivery, ms: number): void;
  /** The delivery is settled, or is to be taken again from the store. */
  clear(delivery: Delivery): void;
  /** A body of this size was refused: pieces are made smaller from now on. */
  tooLarge(bytes: number): void;
}

interface Open {
  readonly delivery: Delivery;
  notBefore: number;
}

export interface LaneBoardDeps {
  readonly take: (lane: Lane) => OutboxBatch | undefined;
  /** Of one request: what was committed as one may be larger, and is then sent in pieces. */
  readonly limits: BatchLimits;
  readonly clock: Clock;
}

export function createLaneBoard({ take, limits, clock }: LaneBoardDeps): LaneBoard {
  const open = new Map<Lane, Open>();
  let cap = { bytes: Number.POSITIVE_INFINITY, until: 0 };

  function maxBytes(): number {
    return clock.monotonic() < cap.until ? Math.min(cap.bytes, limits.maxBytes) : limits.maxBytes;
  }

  function openLane(lane: Lane, options: Pick<DeliveryOptions, 'fromEnd'>): Open | undefined {
    const batch = take(lane);
    if (!batch) return undefined;
    const bounds = { maxRows: limits.maxRows, maxBytes: maxBytes() };
    const opened = { delivery: createDelivery(batch, { ...options, limits: bounds }), notBefore: 0 };
    open.set(lane, opened);
    return opened;
  }

  return {
    next(options) {
      for (const lane of LANES) {
        const opened = open.get(lane) ?? openLane(lane, options);
        if (!opened) continue;
        const ms = opened.notBefore - clock.monotonic();
        return ms > 0 ? { kind: 'wait', ms } : { kind: 'deliver', delivery: opened.delivery };
      }
      return { kind: 'idle' };
    },
    hold(delivery, ms) {
      const opened = open.get(delivery.batch.lane);
      if (opened?.delivery === delivery) opened.notBefore = clock.monotonic() + ms;
    },
    clear(delivery) {
      if (open.get(delivery.batch.lane)?.delivery === delivery) open.delete(delivery.batch.lane);
    },
    tooLarge(bytes) {
      cap = { bytes: Math.min(maxBytes(), Math.max(1, bytes >> 1)), until: clock.monotonic() + CAP_KEPT_MS };
    },
  };
}
