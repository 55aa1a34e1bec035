import type { Attributes } from '../../agent/contract/row.ts';

/** How a call was decided, where its state tells. */
interface Decision {
  readonly text: string;
  readonly attributes: Attributes;
}

/**
 * States of an action that are decisions against it, or the wait for one. An accepted one is none: the IDE accepts by
 * itself whatever is trusted, and writes the same word.
 */
const DECISIONS: Readonly<Record<string, { readonly word: string; readonly decision: string }>> = {
  rejected: { word: 'rejected', decision: 'user_denied' },
  denied: { word: 'rejected', decision: 'user_denied' },
  canceled: { word: 'cancelled', decision: 'cancelled' },
  cancelled: { word: 'cancelled', decision: 'cancelled' },
  aborted: { word: 'cancelled', decision: 'cancelled' },
  blocked: { word: 'denied by policy', decision: 'deny_rule' },
  pendingaction: { word: 'awaiting_approval', decision: 'awaiting_approval' },
  awaitingapproval: { word: 'awaiting_approval', decision: 'awaiting_approval' },
};

const FAILURES = new Set(['error', 'failed', 'failure']);

export function decisionOf(state: string | undefined): Decision | undefined {
  const key = state === undefined ? '' : keyOf(state);
  const known = Object.hasOwn(DECISIONS, key) ? DECISIONS[key] : undefined;
  if (!known || state === undefined) return undefined;
  return {
    text: `permission decision: ${known.word}`,
    attributes: { status: state, decision: known.decision },
  };
}

export function isFailure(state: string): boolean {
  return FAILURES.has(keyOf(state));
}

function keyOf(state: string): string {
  return state.toLowerCase().replaceAll(/[^a-z]/g, '');
}
