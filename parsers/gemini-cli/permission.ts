import type { Attributes } from '../../agent/contract/row.ts';
import { cleanText } from '../shared/text.ts';
import type { Result } from './result.ts';

/** How a call was decided, where the record tells. */
interface Decision {
  readonly text: string;
  readonly attributes: Attributes;
}

const DENIED = /^Tool execution (?:for "[^\n]*" )?denied by policy\./;
const REFUSED = 'User denied execution.';
/** Longer than any refusal; the pattern is not run over whole outputs. */
const REFUSAL_CHARS = 4096;

/**
 * The decision of a call: refused or interrupted by the user, waiting for approval, or blocked by a policy
 * rule. The rule itself is not recorded, only its message. A tool that is missing in a headless run is no
 * decision.
 */
export function decisionOf(status: string | undefined, result: Result | undefined): Decision | undefined {
  const error = result?.error?.slice(0, REFUSAL_CHARS);
  if (status === 'cancelled') return cancelled(error ?? '');
  if (status === 'awaiting_approval')
    return { text: wording(status), attributes: { status, decision: status } };
  return error === undefined ? undefined : denied(status, error);
}

function cancelled(error: string): Decision {
  const decision = error.includes(REFUSED) ? 'user_denied' : 'cancelled';
  return { text: wording('cancelled'), attributes: { status: 'cancelled', decision } };
}

function denied(status: string | undefined, error: string): Decision | undefined {
  const match = DENIED.exec(error);
  if (!match) return undefined;
  const message = error.slice(match[0].length).trim();
  const attributes = { status: cleanText(status ?? 'error'), decision: 'deny_rule' };
  return {
    text: wording('denied by policy'),
    attributes: message === '' ? attributes : { ...attributes, deny_message: cleanText(message) },
  };
}

function wording(decision: string): string {
  return `permission decision: ${decision}`;
}
