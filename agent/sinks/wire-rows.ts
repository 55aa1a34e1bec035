import { linesOf } from '../contract/lines.ts';
import type { Row } from '../contract/row.ts';
import type { Batch } from '../contract/sink.ts';

/** One row of a batch, as its bytes and as what they say. */
export interface WireRow {
  readonly row: Row;
  readonly line: Buffer;
}

/** The rows of a batch in their order, for sinks that have to put them into another form. */
export function* wireRowsOf(batch: Batch): Generator<WireRow> {
  for (const line of linesOf(batch.ndjson)) yield { line, row: JSON.parse(line.toString('utf8')) as Row };
}

/** When it happened, or when it was seen if nothing tells; milliseconds since 1970. */
export function timeOf({ timestamp_utc, observed_at }: Row): number {
  const happened = timestamp_utc === null ? Number.NaN : Date.parse(timestamp_utc);
  return Number.isNaN(happened) ? Date.parse(observed_at) : happened;
}
