import type { Row } from '../../contract/row.ts';

/** Where the Elastic Common Schema puts a row: event.kind, event.category, event.type, event.outcome. */
export interface EventClass {
  readonly kind: 'event' | 'state' | 'metric';
  readonly category?: readonly string[];
  readonly type: readonly string[];
  readonly outcome?: 'success' | 'failure' | 'unknown';
}

/** What the first scan found standing, and how a standing entry changed since. */
const CHANGES: ReadonlyMap<unknown, string> = new Map([
  ['baseline', 'info'],
  ['added', 'creation'],
  ['changed', 'change'],
  ['removed', 'deletion'],
]);

const OUTCOMES: ReadonlyMap<unknown, NonNullable<EventClass['outcome']>> = new Map([
  ['success', 'success'],
  ['error', 'failure'],
  ['cancelled', 'unknown'],
]);

const DENIALS: ReadonlySet<unknown> = new Set(['deny_rule', 'user_denied']);

export function classOf(row: Row): EventClass {
  if (row.role === 'standing') return standing(row);
  if (row.event === 'permission.decision') return decision(row);
  if (row.event === 'holdfast.heartbeat') return { kind: 'metric', type: ['info'] };
  if (row.event?.startsWith('session.')) {
    return { kind: 'event', category: ['session'], type: [row.event === 'session.start' ? 'start' : 'info'] };
  }
  const outcome = row.turn_type === 'tool_result' ? outcomeOf(row) : undefined;
  return { kind: 'event', type: ['info'], ...(outcome && { outcome }) };
}

/** Settings and grants. */
function standing({ attributes: { change } }: Row): EventClass {
  const kind = change === 'baseline' ? 'state' : 'event';
  return { kind, category: ['configuration'], type: [CHANGES.get(change) ?? 'info'] };
}

function decision({ attributes }: Row): EventClass {
  if (!DENIALS.has(attributes['decision'])) return { kind: 'event', type: ['info'] };
  return { kind: 'event', type: ['denied'], outcome: 'failure' };
}

function outcomeOf({ attributes }: Row): EventClass['outcome'] {
  return OUTCOMES.get(attributes['status']);
}
