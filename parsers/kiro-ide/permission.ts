import type { Attributes } from '../../agent/contract/row.ts';

/** How a call was decided, where its state tells. */
interface Decision {
  readonly text: string;
  readonly attributes: Attributes;
}

interface Meaning {
  /** As the seed documents word it. */
  readonly word: string;
  readonly decision: string;
  readonly by?: string;
}

const DENIED: Meaning = { word: 'denied', decision: 'user_denied', by: 'user' };
const CANCELLED: Meaning = { word: 'cancelled', decision: 'cancelled' };
const AWAITING: Meaning = { word: 'awaiting_approval', decision: 'awaiting_approval' };

/**
 * States of an action that are decisions against it, or the wait for one. An accepted one is none: the IDE accepts by
 * itself whatever is trusted, and writes the same word.
 */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ['rejected', DENIED],
  ['denied', DENIED],
  ['blocked', { word: 'denied', decision: 'deny_rule', by: 'deny-rule' }],
  ['canceled', CANCELLED],
  ['cancelled', CANCELLED],
  ['aborted', CANCELLED],
  ['pendingaction', AWAITING],
  ['awaitingapproval', AWAITING],
]);

const FAILURES = new Set(['error', 'failed', 'failure']);

export function decisionOf(state: string | undefined, tool: string): Decision | undefined {
  const meaning = state === undefined ? undefined : MEANINGS.get(keyOf(state));
  if (!meaning || state === undefined) return undefined;
  const { word, decision, by } = meaning;
  return {
    text: `permission decision: ${word}${by === undefined ? '' : ` by=${by} tool=${tool}`}`,
    attributes: { status: state, decision, ...(by !== undefined && { by }) },
  };
}

export function isFailure(state: string): boolean {
  return FAILURES.has(keyOf(state));
}

function keyOf(state: string): string {
  return state.toLowerCase().replaceAll(/[^a-z]/g, '');
}
