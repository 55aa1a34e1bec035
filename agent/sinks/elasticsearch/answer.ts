import type { Batch, RejectedRow, SendResult } from '../../contract/sink.ts';
import { type ItemVerdict, verdictOf } from './item.ts';

/**
 * Reads the answer to a bulk request item by item, in the order of the rows; undefined when it is no such
 * answer. Its own `errors` flag is not needed for that.
 */
export function resultOfBulk(value: unknown, batch: Batch): SendResult | undefined {
  const verdicts = verdictsOf(value, batch);
  if (!verdicts) return undefined;
  const rejected: RejectedRow[] = [];
  const retry: number[] = [];
  const kinds = new Set<ItemVerdict['kind']>();
  for (const [index, verdict] of verdicts.entries()) {
    kinds.add(verdict.kind);
    if (verdict.kind === 'rejected') rejected.push({ index, reason: verdict.reason });
    else if (verdict.kind !== 'stored') retry.push(index);
  }
  if (rejected.length + retry.length === 0) return { kind: 'accepted' };
  return (kinds.size === 1 && resultOfAll(verdicts[0])) || { kind: 'partial', rejected, retry };
}

function verdictsOf(value: unknown, { rows, rowIds }: Batch): ItemVerdict[] | undefined {
  const { items } = Object(value) as { readonly items?: unknown };
  if (!Array.isArray(items) || items.length !== rows) return undefined;
  const verdicts = items.map((item, index) => verdictOf(item, rowIds[index]));
  return verdicts.every((verdict) => verdict !== undefined) ? verdicts : undefined;
}

/**
 * All rows met the same fate: then it is more likely the index or the credential than the rows, and nothing is
 * set aside before it is known that other rows are taken.
 */
function resultOfAll(verdict: ItemVerdict | undefined): SendResult | undefined {
  switch (verdict?.kind) {
    case 'unauthorized':
    case 'retry':
      return { kind: verdict.kind, reason: `every row: ${verdict.reason}` };
    case 'rejected':
      return { kind: 'refused', cause: 'invalid', reason: verdict.reason };
    default:
      return undefined;
  }
}
