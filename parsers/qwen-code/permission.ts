import type { Attributes } from '../../agent/contract/row.ts';
import { cleanText } from '../shared/text.ts';

/** How a call was decided, where the record tells. */
interface Decision {
  readonly text: string;
  readonly attributes: Attributes;
}

/** What a result says of the call that gave it. */
export interface CallEnd {
  readonly tool: string | undefined;
  readonly status: string | undefined;
  /** Missing in the transcripts of subagents. */
  readonly errorType: string | undefined;
  readonly executionStatus: string | undefined;
  readonly error: string | undefined;
}

/** Longer than any refusal; the patterns are not run over whole outputs. */
const REFUSAL_CHARS = 4096;

/**
 * The decision of a call: denied by a rule, refused or interrupted by the user, refused for want of an approval that
 * nobody could give, or stopped by something else of the program. The texts are the program's own and fixed.
 */
export function decisionOf(end: CallEnd): Decision | undefined {
  const error = withoutPrefix(end.error?.slice(0, REFUSAL_CHARS) ?? '');
  if (end.status === 'cancelled') return cancelled(end, error);
  const isDenied = end.errorType === 'execution_denied';
  if (end.errorType !== undefined && !isDenied) return undefined;
  return refusal(end, error) ?? (isDenied ? blocked(error) : undefined);
}

/** A call that came through the bridge for rarely used tools says so first. */
function withoutPrefix(error: string): string {
  return error.replace(/^\[tool_call bridge (?:refused|cancelled)\] /, '');
}

/** A refused call never began; one that was stopped did, or its output was thrown away. */
function cancelled({ executionStatus }: CallEnd, error: string): Decision {
  const isRefused =
    error.includes('User did not allow tool call') ||
    (executionStatus === 'not_started' && error.endsWith('was canceled by the user.'));
  const decision = isRefused ? 'user_denied' : 'cancelled';
  return { text: wording('cancelled'), attributes: { status: 'cancelled', decision } };
}

/** The wordings that also identify a refusal where no error type is recorded. */
function refusal(end: CallEnd, error: string): Decision | undefined {
  if (/^This "[^"\n]*" invocation was denied by permission rules\./.test(error)) return byRule(error);
  if (/^Qwen Code requires permission to use .*, but that permission was declined/.test(error)) {
    const rule = ruleIn(error);
    return rule === undefined || rule === end.tool ? notApproved(rule) : byRule(error);
  }
  if (/^Tool "[^"\n]*" requires permission, but background agents cannot prompt/.test(error))
    return notApproved(undefined);
  if (error.startsWith('Tool blocked by plan mode: '))
    return { text: wording('blocked by plan mode'), attributes: denied('plan_mode') };
  if (error.startsWith('Blocked by auto mode policy: '))
    return {
      text: wording('blocked by auto mode'),
      attributes: { ...denied('auto_mode'), ...reason(error) },
    };
  return undefined;
}

function byRule(error: string): Decision {
  const rule = ruleIn(error);
  const text = rule === undefined ? 'denied by rule' : `denied by rule ${rule}`;
  return { text: wording(text), attributes: { ...denied('deny_rule'), ...ruleFacts(rule) } };
}

/**
 * A run without a terminal denies every tool that would need approval, by a rule made of the tool's own name. A rule
 * that the user wrote just so cannot be told from it.
 */
function notApproved(rule: string | undefined): Decision {
  return {
    text: wording('not approved'),
    attributes: { ...denied('not_approved'), ...(rule !== undefined && { rule: cleanText(rule) }) },
  };
}

/** A hook, a guard, a policy of a subagent: whatever refuses a call without one of the wordings above. */
function blocked(error: string): Decision {
  return { text: wording('blocked'), attributes: { ...denied('blocked'), ...reason(error) } };
}

function denied(decision: string): Attributes {
  return { status: 'error', decision };
}

function reason(error: string): Attributes {
  const [first = ''] = error.split('\n', 1);
  return first === '' ? {} : { reason: cleanText(first.slice(0, 300)) };
}

/** The rule may hold quotes itself, so it ends at the last quote that a full stop follows. */
function ruleIn(error: string): string | undefined {
  return /Matching deny rule: "(.*)"\./.exec(error)?.[1];
}

/** `Bash(git push *)`: the rule, the tool that it names, and the pattern of its arguments. */
function ruleFacts(rule: string | undefined): Attributes {
  if (rule === undefined) return {};
  const { tool, pattern } = partsOfRule(rule);
  return {
    rule: cleanText(rule),
    rule_tool: cleanText(tool),
    ...(pattern !== undefined && { pattern: cleanText(pattern) }),
  };
}

/** A permission rule taken apart: `Bash(git push *)`. */
export function partsOfRule(rule: string): { readonly tool: string; readonly pattern: string | undefined } {
  const open = rule.indexOf('(');
  if (open < 0 || !rule.trimEnd().endsWith(')')) return { tool: rule.trim(), pattern: undefined };
  return { tool: rule.slice(0, open).trim(), pattern: rule.slice(open + 1, rule.lastIndexOf(')')).trim() };
}

function wording(decision: string): string {
  return cleanText(`permission decision: ${decision}`);
}
