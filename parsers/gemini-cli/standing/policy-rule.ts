import type { Attributes } from '../../../agent/contract/row.ts';
import type { StandingEntry } from '../../../agent/contract/source.ts';
import type { JsonObject } from '../../shared/fields.ts';
import type { Scope } from '../../shared/scope.ts';
import { entryOf, PERMISSION } from '../../shared/standing.ts';
import { grantsAll } from './trust.ts';

/** The file that holds a rule. */
export interface RulePlace {
  readonly file: string;
  readonly scope: Scope;
  /** How often each rule came so far. */
  readonly times: Map<string, number>;
}

const AUTO_SAVED = 'auto-saved.toml';

export function ruleEntry(rule: JsonObject, { file, scope, times }: RulePlace): StandingEntry {
  const same = JSON.stringify(sorted(rule), plain);
  const count = (times.get(same) ?? 0) + 1;
  times.set(same, count);
  const decision = tomlText(rule['decision'] ?? '-');
  const subject = ruleText(rule, decision);
  const isActive = file.endsWith('.toml');
  return entryOf(PERMISSION, {
    key: count === 1 ? `policy ${same}` : `policy ${same} #${count}`,
    value: decision,
    subject,
    attributes: {
      kind: 'policy',
      scope,
      decision,
      ...ruleFacts(rule),
      ...(file.startsWith(AUTO_SAVED) && { auto_saved: true }),
      ...(!isActive && { active: false }),
      ...(isActive && isTrustAll(rule, decision) && { trust_all: true }),
    },
  });
}

/** The same keys and values make the same rule, wherever they stand in it. */
function sorted(rule: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(rule).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `policy <decision> <tool> <key>=<value> ...`, keys in the order of the file. */
function ruleText(rule: JsonObject, decision: string): string {
  const rest = Object.keys(rule).filter((key) => key !== 'decision' && key !== 'toolName');
  const words = ['policy', decision, tomlText(rule['toolName'] ?? '-')];
  return [...words, ...rest.map((key) => `${key}=${tomlText(rule[key])}`)].join(' ');
}

const FACTS: Readonly<Record<string, string>> = {
  toolName: 'tool',
  mcpName: 'mcp_server',
  priority: 'priority',
  commandPrefix: 'command_prefix',
  modes: 'modes',
};

function ruleFacts(rule: JsonObject): Attributes {
  const facts: Record<string, string | number> = {};
  for (const [key, name] of Object.entries(FACTS)) {
    const value = Object.hasOwn(rule, key) ? rule[key] : undefined;
    if (value !== undefined) facts[name] = typeof value === 'number' ? value : tomlText(value);
  }
  return facts;
}

/** Keys that let a rule hold for some calls only. */
const CONDITIONS = ['commandPrefix', 'commandRegex', 'argsPattern', 'toolAnnotations', 'mcpName', 'subagent'];

/**
 * A rule that by itself lets everything run: an allow without conditions for all tools or for the shell, or one for
 * the mode that asks nothing alone. That mode among others is in every saved rule and says nothing.
 */
function isTrustAll(rule: JsonObject, decision: string): boolean {
  if (decision !== 'allow') return false;
  const modes = rule['modes'];
  if (Array.isArray(modes) && modes.length === 1 && modes[0] === 'yolo') return true;
  if (CONDITIONS.some((key) => Object.hasOwn(rule, key))) return false;
  const { toolName } = rule;
  return (Array.isArray(toolName) ? toolName : [toolName]).some((tool) => grantsAll(String(tool)));
}

/** Text and numbers as they are, lists and tables as compact JSON; whole numbers may be wider than JSON has them. */
function tomlText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && !(value instanceof Date))
    return JSON.stringify(value, plain);
  return value instanceof Date ? value.toISOString() : String(value);
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
