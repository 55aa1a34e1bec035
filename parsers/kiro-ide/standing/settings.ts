import type { Attributes } from '../../../agent/contract/row.ts';
import type { ParseContext, StandingEntry } from '../../../agent/contract/source.ts';
import type { JsonObject } from '../../shared/fields.ts';
import {
  type EntryKind,
  entryOf,
  jsonObjectReader,
  MODEL,
  PERMISSION,
  TELEMETRY,
  valueText,
} from '../../shared/standing.ts';
import { modeFacts } from '../mode.ts';
import { grantsAllCommands, grantsAllTools } from './trust.ts';

const AGENT = 'kiroAgent.';

/** Lists, each element of which is a setting of its own; with what it decides. */
const LISTS: readonly (readonly [key: string, decision: string, isAll: (element: string) => boolean])[] = [
  ['trustedCommands', 'allow', grantsAllCommands],
  ['trustedTools', 'allow', grantsAllTools],
  ['commandDenylist', 'deny', () => false],
  ['mcpApprovedEnvVars', 'allow', () => false],
];

/** Switches that let everything run when they are on. */
const SWITCHES = ['autopilot', 'mcp.autoApproveAll'];

const OTHERS: readonly (readonly [kind: EntryKind, keys: readonly string[]])[] = [
  [MODEL, [`${AGENT}modelSelection`]],
  [PERMISSION, [`${AGENT}configureMCP`, 'security.workspace.trust.enabled']],
  [TELEMETRY, ['telemetry.telemetryLevel']],
];

const TELEMETRY_PREFIX = 'telemetry.dataSharingAndPromptLogging.';

/**
 * Reader of the editor's `settings.json`: the keys of the agent that grant or deny, its model, and telemetry. No other
 * key is looked at, since extensions keep secrets there. Releases from 1.0 take the grants over once and then ignore
 * them.
 */
export const readSettings = jsonObjectReader('User', (settings, context) => {
  const telemetry = Object.keys(settings).filter((key) => key.startsWith(TELEMETRY_PREFIX));
  const entries = [
    ...LISTS.flatMap((list) => listEntries(settings, list)),
    ...autonomyEntry(settings),
    ...SWITCHES.flatMap((key) => switchEntry(settings, key)),
    ...OTHERS.flatMap(([kind, keys]) => keys.flatMap((key) => valueEntry(settings, key, kind))),
    ...telemetry.flatMap((key) => valueEntry(settings, key, TELEMETRY)),
  ];
  const project = projectFor(context);
  return project === undefined ? entries : entries.map((entry) => ({ ...entry, project }));
});

/** The project of a file that lies in one; a store's file belongs to none. */
function projectFor(context: ParseContext): string | undefined {
  return context.project(undefined);
}

function listEntries(settings: JsonObject, [name, decision, isAll]: (typeof LISTS)[number]): StandingEntry[] {
  const key = AGENT + name;
  const list = settings[key];
  if (list === undefined) return [];
  return (Array.isArray(list) ? list : [list]).map((element) => {
    const value = valueText(element);
    return entryOf(PERMISSION, {
      key: `${key}[${value}]`,
      value,
      subject: `${key}=${value}`,
      attributes: { ...facts(key), decision, ...(isAll(value) && { trust_all: true }) },
    });
  });
}

function autonomyEntry(settings: JsonObject): StandingEntry[] {
  const key = `${AGENT}agentAutonomy`;
  if (settings[key] === undefined) return [];
  const value = valueText(settings[key]);
  return [entryOf(PERMISSION, { key, value, attributes: { ...facts(key), ...modeFacts(value) } })];
}

function switchEntry(settings: JsonObject, name: string): StandingEntry[] {
  const key = AGENT + name;
  const value = settings[key];
  if (value === undefined) return [];
  const attributes = { ...facts(key), ...(value === true && { trust_all: true }) };
  return [entryOf(PERMISSION, { key, value: valueText(value), attributes })];
}

function valueEntry(settings: JsonObject, key: string, kind: EntryKind): StandingEntry[] {
  const value = settings[key];
  return value === undefined ? [] : [entryOf(kind, { key, value: valueText(value), attributes: facts(key) })];
}

function facts(setting: string): Attributes {
  return { kind: 'setting', setting };
}
