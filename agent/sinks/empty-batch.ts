import { batchIdOf } from '../contract/batch.ts';
import type { Batch } from '../contract/sink.ts';

/** A batch without rows, for probes: its answer tells whether the other end takes our credential. */
export const EMPTY_BATCH: Batch = {
  id: batchIdOf([]),
  lane: 'live',
  rows: 0,
  firstSeq: 0,
  lastSeq: 0,
  ndjson: Buffer.alloc(0),
  rowIds: [],
};
