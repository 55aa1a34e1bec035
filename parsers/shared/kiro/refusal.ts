import type { Attributes } from '../../../agent/contract/row.ts';

/** How a call was decided, as its fixed sentence tells. */
export interface Refusal {
  readonly by: 'deny-rule' | 'headless' | 'user' | 'n' | 'user-text' | 'hook' | 'interrupt';
  readonly word: 'denied' | 'cancelled';
  /** Tool that the sentence names; the sentences of the second engine name none. */
  readonly tool: string | undefined;
  /** One line for each rule that matched, whole: a line may hold several expressions. */
  readonly patterns: readonly string[];
  readonly reason: string | undefined;
}

/** Longer than any refusal; the patterns are not run over whole outputs. */
const REFUSAL_CHARS = 8_192;

const HEADLESS = 'non-interactive mode (no user to approve)';
const BY_RULE =
  /^Tool use with (\S+) was rejected(?: \(URL: [^\n]*\))? because the arguments supplied were forbidden/;
const HOOK = 'PreToolHook blocked the tool execution:';

/**
 * What the result of one call says in the second engine. Its sentences are the program's own, so a result that only
 * begins like one is taken for one.
 */
export function refusalOfResult(given: string): Refusal | undefined {
  const text = given.slice(0, REFUSAL_CHARS);
  if (text.startsWith('Tool use was rejected because the arguments supplied are forbidden'))
    return refusal('deny-rule', { patterns: linesAfter(text, 'forbidden:') });
  if (text === 'Tool use was denied by the user.') return refusal('user');
  if (text.startsWith(HOOK)) return refusal('hook', { reason: text.slice(HOOK.length).trim() });
  return undefined;
}

/**
 * What stands in place of a prompt when calls were abandoned: in the first engine, and beside the results that were
 * imported from it. Any text that is not one of the program's sentences is what the user typed.
 */
export function refusalOfPrompt(given: string): Refusal {
  const text = given.slice(0, REFUSAL_CHARS);
  const tool = BY_RULE.exec(text)?.[1];
  if (tool !== undefined) return byRule(text, tool);
  if (text.startsWith('I deny this tool request.')) return refusal('n');
  if (text.startsWith('The user interrupted the tool execution.')) return refusal('interrupt');
  return refusal('user-text', { reason: text });
}

function byRule(text: string, tool: string): Refusal {
  const patterns = linesAfter(text, 'Blocked patterns:');
  return refusal(patterns.includes(HEADLESS) ? 'headless' : 'deny-rule', { tool, patterns });
}

/** A path rule can stand twice, so the lines are a set. */
function linesAfter(text: string, head: string): readonly string[] {
  const start = text.indexOf(head);
  if (start < 0) return [];
  const lines = text
    .slice(start + head.length)
    .split('\n')
    .map((line) => line.trim().replace(/^- /, ''));
  return [...new Set(lines.filter((line) => line !== ''))];
}

function refusal(by: Refusal['by'], more: Partial<Refusal> = {}): Refusal {
  const word = by === 'interrupt' ? 'cancelled' : 'denied';
  return { by, word, tool: undefined, patterns: [], reason: undefined, ...more };
}

const DECISIONS: Readonly<Record<Refusal['by'], string>> = {
  'deny-rule': 'deny_rule',
  headless: 'not_approved',
  user: 'user_denied',
  n: 'user_denied',
  'user-text': 'user_denied',
  hook: 'hook_denied',
  interrupt: 'cancelled',
};

export function refusalText({ by, word }: Refusal, tool: string | undefined): string {
  return `permission decision: ${word} by=${by}${tool === undefined ? '' : ` tool=${tool}`}`;
}

/** `candidates`: the calls that it may mean, where the sentence stands for all calls of one answer. */
export function refusalFacts(refused: Refusal, candidates: readonly string[]): Attributes {
  const { by, patterns, reason } = refused;
  return {
    decision: DECISIONS[by],
    by,
    ...(patterns.length > 0 && { patterns: patterns.join('\n') }),
    ...(candidates.length > 1 && { candidates: candidates.join(',') }),
    ...(reason !== undefined && reason !== '' && { reason }),
  };
}
