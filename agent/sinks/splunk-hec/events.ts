import type { Row } from '../../contract/row.ts';
import type { Batch } from '../../contract/sink.ts';
import { timeOf, wireRowsOf } from '../wire-rows.ts';

export interface EventOptions {
  readonly index: string | null | undefined;
  readonly sourcetype: string;
  readonly indexedFields: boolean;
  readonly epoch: string;
}

/**
 * One event object a row, one after the other, as the event endpoint takes them (not a list). The row itself is
 * the event, byte for byte.
 */
export function eventsOf(batch: Batch, options: EventOptions): Buffer {
  const pieces: Buffer[] = [];
  for (const { row, line } of wireRowsOf(batch)) {
    pieces.push(Buffer.from(`${envelopeOf(row, options)},"event":`), line, END);
  }
  return Buffer.concat(pieces);
}

const END = Buffer.from('}\n');

/** Everything before the event, without the closing brace. */
function envelopeOf(row: Row, { index, sourcetype, indexedFields, epoch }: EventOptions): string {
  const facts = JSON.stringify({
    host: row.host_name,
    source: `holdfast:${row.agent}`,
    sourcetype,
    ...(index != null && { index }),
    ...(indexedFields && { fields: fieldsOf(row, epoch) }),
  });
  return `{"time":${secondsOf(row)},${facts.slice(1, -1)}`;
}

/** Seconds since 1970 with milliseconds. Times before it have no such form: those count from when it was seen. */
function secondsOf(row: Row): string {
  const time = timeOf(row);
  return (Math.max(time >= 0 ? time : Date.parse(row.observed_at), 0) / 1000).toFixed(3);
}

/** Names of their own: a field that is also extracted from the event would show every value twice. */
function fieldsOf(row: Row, epoch: string): Readonly<Record<string, string>> {
  const fields = {
    holdfast_row_id: row.row_id,
    holdfast_agent: row.agent,
    holdfast_turn_type: row.turn_type,
    holdfast_event: row.event,
    holdfast_session: row.session_id,
    holdfast_user: row.os_user,
    holdfast_epoch: epoch,
  };
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
