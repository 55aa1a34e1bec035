/** What the answer to a bulk request says about one row. */
export type ItemVerdict =
  | { readonly kind: 'stored' }
  | { readonly kind: 'retry' | 'rejected' | 'unauthorized'; readonly reason: string };

/** Refusals that come with a 4xx although the document is not what is wrong. */
const NOT_THE_DOCUMENT: ReadonlySet<string> = new Set([
  'cluster_block_exception',
  'index_closed_exception',
  'index_not_found_exception',
  'invalid_index_name_exception',
  'resource_already_exists_exception',
  // The cluster has as many shards as it may have.
  'validation_exception',
]);

const PASSING: ReadonlySet<number> = new Set([401, 403, 404, 408, 425, 429]);

/** Undefined when the item does not answer for the row of this id. */
export function verdictOf(item: unknown, rowId: string | undefined): ItemVerdict | undefined {
  const { create } = Object(item) as { readonly create?: unknown };
  const { _id: id, status, error } = Object(create) as Readonly<Record<string, unknown>>;
  if (typeof status !== 'number' || (id !== undefined && id !== rowId)) return undefined;
  if (status >= 200 && status < 300) return { kind: 'stored' };
  const { type, reason } = errorOf(error);
  const said = `${status} ${type}${reason === '' ? '' : `: ${reason}`}`;
  if (status === 409) return conflict(type, said);
  if (type === 'security_exception') return { kind: 'unauthorized', reason: said };
  const isRejected = status >= 400 && status < 500 && !PASSING.has(status) && !NOT_THE_DOCUMENT.has(type);
  return { kind: isRejected ? 'rejected' : 'retry', reason: said };
}

/** The row is there already. */
function conflict(type: string, said: string): ItemVerdict {
  return type === 'version_conflict_engine_exception' ? { kind: 'stored' } : { kind: 'retry', reason: said };
}

function errorOf(error: unknown): { readonly type: string; readonly reason: string } {
  const { type, reason } = Object(error) as Readonly<Record<string, unknown>>;
  return {
    type: typeof type === 'string' ? type : 'without a type',
    reason: typeof reason === 'string' ? withoutQuotes(reason) : '',
  };
}

const REASON_CHARS = 200;

/**
 * Reasons quote the value that did not fit, and rows' text must not show in logs: everything from the first
 * quotation on goes, and what stands in brackets unless it is a name. The name behind `field=` stays.
 */
function withoutQuotes(reason: string): string {
  const open = reason.replace(/\bfield="([\w.@-]{1,200})"/g, 'field=$1');
  const [head = ''] = open.split(/(?<=^|[\s([:=])['"]/, 1);
  return head
    .replace(/\[[^\]]*[^\w\].@*-][^\]]*\]/g, '[...]')
    .trim()
    .slice(0, REASON_CHARS);
}
