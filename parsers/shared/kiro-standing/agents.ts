import type { Attributes } from '../../../agent/contract/row.ts';
import type {
  Document,
  ParseContext,
  StandingEntry,
  StandingResult,
} from '../../../agent/contract/source.ts';
import { plainUtf8 } from '../byte-mark.ts';
import { asList, asObject, asText, type JsonObject } from '../fields.ts';
import { mcpServerEntries } from '../mcp-servers.ts';
import { entryOf, jsonObjectReader, MODEL, PERMISSION, valueText } from '../standing.ts';
import { parseYaml } from '../yaml.ts';
import { ruleEntries } from './permissions.ts';
import { isWildcard } from './wildcard.ts';

/** One agent being read: what all its entries share. */
interface Agent {
  readonly name: string;
  readonly project: string | undefined;
  readonly attributes: Attributes;
}

/** Reader of `agents/<name>.json`: what an agent may do without asking, what is denied to it, its hooks and servers. */
export const readAgent = jsonObjectReader(agentEntries, 'agent configuration');

/** Reader of `agents/<name>.md`: the same keys between two lines of dashes at the beginning; the text is the prompt. */
export function readAgentText(document: Document, context: ParseContext): StandingResult {
  if (!document.settled && document.bytes.at(-1) !== 0x0a) return { kind: 'torn' };
  const text = plainUtf8(document.bytes).toString('utf8', 0, MAX_HEAD_BYTES);
  const head = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text)?.[1];
  try {
    const value = head === undefined ? {} : asObject(parseYaml(head));
    return { kind: 'entries', entries: value ? unique(agentEntries(value, context)) : [] };
  } catch {
    return { kind: 'entries', entries: [] };
  }
}

const MAX_HEAD_BYTES = 64 * 1024;

function unique(entries: readonly StandingEntry[]): StandingEntry[] {
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()];
}

function agentEntries(file: JsonObject, context: ParseContext): StandingEntry[] {
  const name = asText(file['name']) ?? stemOf(context.path);
  const agent = { name, project: context.project(undefined), attributes: { agent_name: name } };
  const rules = asObject<{ rules?: unknown }>(file['permissions'])?.rules;
  const entries = [
    ...allowedTools(file['allowedTools'], agent),
    ...toolsSettings(file['toolsSettings'], agent),
    ...ruleEntries(rules, { ...agent, name: 'agent', attributes: { scope: 'agent', ...agent.attributes } }),
    ...hookEntries(file['hooks'], agent),
    ...modelEntry(file['model'], agent),
    ...mcpServerEntries(file['mcpServers'], { scope: 'agent', ...agent.attributes }),
  ];
  const { project } = agent;
  return project === undefined ? entries : entries.map((entry) => ({ ...entry, project }));
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
}

/** `*` is every tool, `@builtin` every one of the program's own, `@server` every one of a server. */
function allowedTools(list: unknown, agent: Agent): StandingEntry[] {
  return asList(list).flatMap((value) => {
    const tool = asText(value);
    if (tool === undefined) return [];
    const isAll = isWildcard(tool) || tool === '@builtin' || SHELLS.has(tool);
    return [
      permission(agent, {
        key: `allowedTools[${tool}]`,
        value: tool,
        subject: `allowedTools=${tool}`,
        attributes: { setting: 'allowedTools', tool, decision: 'allow', ...(isAll && { trust_all: true }) },
      }),
    ];
  });
}

const SHELLS = new Set(['shell', 'execute_bash', 'executeBash', 'executeCmd', 'execute_cmd']);

/** Every tool has several names; rows carry the file's own. A list is a set of rules, each of them an entry. */
function toolsSettings(settings: unknown, agent: Agent): StandingEntry[] {
  return Object.entries(asObject(settings) ?? {}).flatMap(([tool, value]) =>
    Object.entries(asObject(value) ?? {}).flatMap(([key, setting]) =>
      Array.isArray(setting)
        ? [...new Set(setting.map(valueText))].map((element) =>
            toolEntry(agent, { tool, key, element, suffix: `[${element}]` }),
          )
        : [toolEntry(agent, { tool, key, element: valueText(setting), suffix: '' })],
    ),
  );
}

interface ToolSetting {
  readonly tool: string;
  readonly key: string;
  readonly element: string;
  readonly suffix: string;
}

function toolEntry(agent: Agent, { tool, key, element, suffix }: ToolSetting): StandingEntry {
  const setting = `toolsSettings.${tool}.${key}`;
  const decision = decisionOf(key);
  const isAll = decision === 'allow' && suffix !== '' && grantsAll(key, element);
  return permission(agent, {
    key: `${setting}${suffix}`,
    value: element,
    subject: `${setting}=${element}`,
    attributes: {
      setting,
      tool,
      ...(decision !== undefined && { decision, pattern: element }),
      ...(isAll && { trust_all: true }),
    },
  });
}

function decisionOf(key: string): 'allow' | 'deny' | undefined {
  if (key.startsWith('allowed') || key.startsWith('trusted')) return 'allow';
  return key.startsWith('denied') || key === 'blocked' ? 'deny' : undefined;
}

function grantsAll(key: string, pattern: string): boolean {
  const bare = pattern.trim();
  if (key === 'allowedPaths') return ['/', '**', '/**', '*'].includes(bare);
  return isWildcard(bare) || /^\^?\.\*\$?$/.test(bare);
}

/** Programs that are run at events; the newer form of a hook file has its own reader. */
function hookEntries(hooks: unknown, agent: Agent): StandingEntry[] {
  return Object.entries(asObject(hooks) ?? {}).flatMap(([event, list]) =>
    asList(list).flatMap((value) => {
      const hook = asObject(value);
      const command = asText(hook?.['command']);
      if (!hook || command === undefined) return [];
      const matcher = asText(hook['matcher']) ?? '*';
      return [
        permission(agent, {
          key: `hooks.${event}[${matcher} ${command}]`,
          value: command,
          subject: `hooks.${event}=${matcher}:${command}`,
          attributes: { setting: 'hooks', hook_event: event, matcher },
        }),
      ];
    }),
  );
}

function modelEntry(model: unknown, agent: Agent): StandingEntry[] {
  const value = asText(model);
  if (value === undefined) return [];
  return [
    entryOf(MODEL, {
      key: 'model',
      value,
      subject: `model=${value}`,
      attributes: { kind: 'agent', ...agent.attributes },
    }),
  ];
}

type Facts = Parameters<typeof entryOf>[1];

function permission(agent: Agent, facts: Facts): StandingEntry {
  return entryOf(PERMISSION, {
    ...facts,
    attributes: { kind: 'agent', scope: 'agent', ...agent.attributes, ...facts.attributes },
  });
}
