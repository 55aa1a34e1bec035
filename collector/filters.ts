import { Refusal } from './reply.ts';

const TEXT_FILTERS = ['session', 'agent', 'event', 'host', 'epoch'] as const;
const NUMBER_FILTERS = ['since_seq', 'after'] as const;

type FilterName = (typeof TEXT_FILTERS)[number] | (typeof NUMBER_FILTERS)[number];

/** What a query asks for. */
export interface Filters {
  readonly values: ReadonlyMap<FilterName, string | number>;
  readonly limit: number;
}

const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 10_000;

/** Reads a query string. A name that the path does not take is refused: it would silently widen the answer. */
export function filtersOf(query: string, allowed: readonly FilterName[]): Filters {
  const values = new Map<FilterName, string | number>();
  let limit = DEFAULT_LIMIT;
  for (const [key, value] of new URLSearchParams(query)) {
    const name = allowed.find((known) => known === key);
    if (key === 'limit') limit = Math.min(wholeNumber(key, value), MAX_LIMIT);
    else if (name === undefined) throw new Refusal(400, 'the query has a name that is not known here');
    else values.set(name, isNumberFilter(name) ? wholeNumber(name, value) : value);
  }
  return { values, limit: Math.max(1, limit) };
}

/** The condition for the filters that were given, out of those that a table has columns for. */
export function whereOf(filters: Filters, conditions: Partial<Record<FilterName, string>>) {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  for (const [name, value] of filters.values) {
    const condition = conditions[name];
    if (condition === undefined) continue;
    parts.push(condition);
    values.push(value);
  }
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}

function isNumberFilter(name: FilterName): boolean {
  return NUMBER_FILTERS.some((known) => known === name);
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Refusal(400, `${name} is not a whole number`);
  return Number(text);
}
