import type { Attributes } from '../../../agent/contract/row.ts';
import { asList, asObject, asText, type JsonObject, valueAt } from '../../shared/fields.ts';
import { addEvent } from '../../shared/kiro/rows.ts';
import { compactJson } from '../../shared/kiro/values.ts';
import type { Header } from './header-memory.ts';

/** Sets of the session's permissions, with what their elements decide. The program writes them in a random order. */
const SETS = {
  trusted_tools: 'allow',
  denied_tools: 'deny',
  allowed_commands: 'allow',
  'filesystem.allowed_read_paths': 'allow',
  'filesystem.allowed_write_paths': 'allow',
  'filesystem.denied_read_paths': 'deny',
  'filesystem.denied_write_paths': 'deny',
} as const;

interface Grant {
  readonly set: keyof typeof SETS;
  readonly value: string;
}

/** What `/tools trust-all` adds at least; releases differ in the rest. */
const EVERYTHING = ['fsRead', 'fsWrite', 'executeCmd', 'grep', 'glob', 'useAws', 'webFetch'];
const SHELLS = new Set(['executeCmd', 'execute_cmd', 'execute_bash', 'shell']);
const ALL_TOOLS = 'trusted_tools=*';

/**
 * Tells what was granted and taken back since the header was last read. A grant that comes again after it was taken
 * back is another event. Where permissions are missing nothing is known about them, and nothing is taken back.
 */
export function tellPermissions(header: Header, permissions: JsonObject | undefined): void {
  if (!permissions) return;
  const { grants } = header.memory;
  const now = grantsIn(permissions, directoriesOf(header));
  const added = [...now].filter(([key]) => (grants.get(key) ?? 0) <= 0);
  const removed = [...grants].filter(([key, count]) => count > 0 && !now.has(key));
  const isAllNew = added.some(([key]) => key === ALL_TOOLS);
  for (const [key, grant] of added) {
    const count = 1 - (grants.get(key) ?? 0);
    grants.set(key, count);
    if (!isAllNew || !isFolded(grant))
      tell(header, { grant, count, change: header.memory.isKnown ? 'added' : 'baseline' }, now);
  }
  const isAllGone = [...now.values()].every(({ set }) => set !== 'trusted_tools');
  const hadAll = removed.some(([key]) => key === ALL_TOOLS);
  for (const [key, count] of removed) {
    grants.set(key, -count);
    const grant = grantOf(key);
    if (grant && !(hadAll && isAllGone && isFolded(grant)))
      tell(header, { grant, count, change: 'removed' }, now);
  }
}

/** The directories in which a session runs are readable as soon as it is loaded there: nobody granted them. */
function directoriesOf({ scope, memory }: Header): readonly string[] {
  const { directories } = memory;
  if (scope.project !== undefined && !directories.includes(scope.project)) directories.push(scope.project);
  return directories;
}

/** Said by the row for all tools. */
function isFolded({ set, value }: Grant): boolean {
  return set === 'trusted_tools' && value !== '*' && /^[A-Za-z_]+$/.test(value);
}

function grantsIn(permissions: JsonObject, directories: readonly string[]): Map<string, Grant> {
  const now = new Map<string, Grant>();
  for (const set of Object.keys(SETS) as (keyof typeof SETS)[]) {
    for (const element of asList(valueAt(permissions, set))) {
      const value = nameOf(element);
      if (set === 'filesystem.allowed_read_paths' && directories.includes(value)) continue;
      now.set(`${set}=${value}`, { set, value });
    }
  }
  const isAll = EVERYTHING.every((tool) => now.has(`trusted_tools=${tool}`));
  return isAll ? new Map([[ALL_TOOLS, { set: 'trusted_tools', value: '*' }], ...now]) : now;
}

function grantOf(key: string): Grant | undefined {
  const set = (Object.keys(SETS) as (keyof typeof SETS)[]).find((name) => key.startsWith(`${name}=`));
  return set && { set, value: key.slice(set.length + 1) };
}

interface RawTool {
  readonly BuiltIn?: unknown;
  readonly Mcp?: unknown;
  readonly Agent?: unknown;
}

/** A tool as rules name it: `fsRead`, `@server/tool`, `agent:reviewer`. */
function nameOf(element: unknown): string {
  if (typeof element === 'string') return element;
  const tool = asObject<RawTool>(element) ?? {};
  const mcp = asObject<{ server_name?: unknown; tool_name?: unknown }>(tool.Mcp);
  const agent = asText(asObject<{ agent_name?: unknown }>(tool.Agent)?.agent_name);
  if (mcp) return `@${asText(mcp.server_name) ?? '-'}/${asText(mcp.tool_name) ?? '-'}`;
  if (agent !== undefined) return `agent:${agent}`;
  return asText(tool.BuiltIn) ?? compactJson(element);
}

interface Told {
  readonly grant: Grant;
  readonly count: number;
  readonly change: 'baseline' | 'added' | 'removed';
}

function tell({ scope, updated }: Header, { grant, count, change }: Told, now: Map<string, Grant>): void {
  const { set, value } = grant;
  const isRemoved = change === 'removed';
  addEvent(scope, 'permission.setting', {
    record: `permission ${set} ${value}`,
    part: isRemoved ? 'removed' : 'set',
    content: String(count),
    text: `permission setting${isRemoved ? ' removed' : ''}: ${set}=${value} (session state)`,
    time: updated,
    attributes: {
      kind: 'session_permission',
      setting: set,
      value,
      change,
      decision: SETS[set],
      ...(set.endsWith('_tools') && { tool: value }),
      ...(isRemoved ? {} : trustFacts(grant, now)),
    },
  });
}

/** A shell that never asks can do whatever the other tools can. */
function trustFacts({ set, value }: Grant, now: Map<string, Grant>): Attributes {
  if (set !== 'trusted_tools') return {};
  if (value !== '*') return SHELLS.has(value) && !now.has(ALL_TOOLS) ? { trust_all: true } : {};
  const tools = [...now.values()].filter((grant) => grant.set === set && grant.value !== '*');
  return {
    trust_all: true,
    tools: tools
      .map((grant) => grant.value)
      .sort()
      .join(','),
  };
}
