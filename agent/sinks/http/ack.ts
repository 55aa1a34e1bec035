import type { Batch, RejectedRow, SendResult } from '../../contract/sink.ts';

const REASON_CHARS = 200;

/**
 * Reads the collector's answer. It counts only if it names this very batch and accounts for every row of
 * it; anything else, however friendly its status, is no ack. docs/collector-protocol.md has the form.
 */
export function resultOfAck(value: unknown, batch: Batch): SendResult {
  const ack = value as Partial<Record<'batch' | 'accepted' | 'duplicates' | 'rejected', unknown>> | null;
  if (typeof ack !== 'object' || ack === null) return notAnAck('it is not the answer of a collector');
  if (ack.batch !== batch.id) return notAnAck('it does not name the batch that was sent');
  const { accepted, duplicates, rejected } = ack;
  if (!isCount(accepted) || !isCount(duplicates) || !Array.isArray(rejected)) {
    return notAnAck('it does not tell what became of the rows');
  }
  if (accepted + duplicates + rejected.length !== batch.rows) {
    return notAnAck(`it accounts for ${accepted + duplicates + rejected.length} of ${batch.rows} rows`);
  }
  if (rejected.length === 0) return { kind: 'accepted' };
  const rows = rejectedRows(rejected, batch);
  return rows
    ? { kind: 'partial', rejected: rows, retry: [] }
    : notAnAck('it rejects rows that were not sent');
}

function notAnAck(why: string): SendResult {
  return { kind: 'retry', reason: `the answer is no acknowledgement: ${why}` };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Each rejected row must be one of the batch, named once, under its own id. */
function rejectedRows(items: readonly unknown[], batch: Batch): RejectedRow[] | undefined {
  const rows = new Map<number, RejectedRow>();
  for (const item of items) {
    const { index, row_id: rowId, reason } = Object(item) as Record<string, unknown>;
    if (!isCount(index) || index >= batch.rows || rows.has(index)) return undefined;
    if (typeof rowId === 'string' && rowId !== batch.rowIds[index]) return undefined;
    const text = typeof reason === 'string' ? reason.slice(0, REASON_CHARS) : 'no reason given';
    rows.set(index, { index, reason: text });
  }
  return [...rows.values()];
}
