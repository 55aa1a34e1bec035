import type { Attributes } from '../../../agent/contract/row.ts';
import type { StandingEntry, StandingSpec } from '../../../agent/contract/source.ts';
import { asList, asObject, asText, type JsonObject, valueAt } from '../../shared/fields.ts';
import { mcpServerEntries } from '../../shared/mcp-servers.ts';
import { safeUrl } from '../../shared/safe-url.ts';
import { projectFor, type Scope } from '../../shared/scope.ts';
import {
  type EntryKind,
  entryOf,
  jsonObjectReader,
  MODEL,
  PERMISSION,
  RETENTION,
  TELEMETRY,
  valueText,
} from '../../shared/standing.ts';
import { modeFacts } from '../mode.ts';
import { partsOfRule } from '../permission.ts';

/** Lists, each element of which is a setting of its own; with what it decides for the tools that it names. */
const LISTS: Readonly<Record<string, string | undefined>> = {
  'permissions.allow': 'allow',
  'permissions.ask': 'ask',
  'permissions.deny': 'deny',
  'permissions.autoMode.hints.allow': undefined,
  'permissions.autoMode.hints.softDeny': undefined,
  'permissions.autoMode.hints.hardDeny': undefined,
  'permissions.autoMode.hints.deny': undefined,
  'tools.allowed': 'allow',
  'tools.exclude': 'deny',
  'tools.core': undefined,
  'tools.disabled': 'deny',
  'mcp.allowed': undefined,
  'mcp.excluded': undefined,
  'context.includeDirectories': undefined,
  'security.allowedHttpHookUrls': undefined,
};

const VALUES: readonly (readonly [kind: EntryKind, keys: readonly string[]])[] = [
  [
    PERMISSION,
    [
      'tools.autoAccept',
      'tools.sandbox',
      'tools.executionSandbox',
      'tools.workflowsEnabled',
      'permissions.autoMode.classifyAllShell',
      'security.folderTrust.enabled',
      'security.allowPrivateNetworkHooks',
      'disableAllHooks',
    ],
  ],
  [RETENTION, ['general.cleanupPeriodDays', 'general.chatRecording']],
  [MODEL, ['model.name', 'fastModel']],
  [
    TELEMETRY,
    [
      'telemetry.enabled',
      'telemetry.target',
      'telemetry.otlpEndpoint',
      'telemetry.outfile',
      'telemetry.logPrompts',
      'privacy.usageStatisticsEnabled',
    ],
  ],
];

/** Where sessions are kept: elsewhere than here, when this is set. */
const RELOCATION = 'advanced.runtimeOutputDir';
const LOCATION = { label: 'store location', event: 'retention.setting' } satisfies EntryKind;
const MODE = 'tools.approvalMode';

/**
 * Reader of `settings.json`: permissions, approval mode, hooks, retention, model, telemetry, and the structure of MCP
 * servers. No other key is looked at, since the file also holds keys and tokens.
 */
export function settingsReader(scope: Scope): StandingSpec['read'] {
  return jsonObjectReader((settings, context) => {
    const entries = [
      ...modeEntry(settings, scope),
      ...Object.keys(LISTS).flatMap((key) => listEntries(settings, key, scope)),
      ...VALUES.flatMap(([kind, keys]) => keys.flatMap((key) => valueEntry(settings, { key, kind, scope }))),
      ...valueEntry(settings, { key: RELOCATION, kind: LOCATION, scope }),
      ...hookEntries(settings['hooks'], scope),
      ...mcpServerEntries(settings['mcpServers'], { scope }),
    ];
    const project = projectFor(scope, context);
    return entries.map((entry) => ({ ...entry, ...project }));
  });
}

function modeEntry(settings: JsonObject, scope: Scope): StandingEntry[] {
  const mode = valueAt(settings, MODE);
  if (mode === undefined) return [];
  const value = valueText(mode);
  return [
    entryOf(PERMISSION, { key: MODE, value, attributes: { ...facts(MODE, scope), ...modeFacts(value) } }),
  ];
}

function listEntries(settings: JsonObject, key: string, scope: Scope): StandingEntry[] {
  const list = valueAt(settings, key);
  if (list === undefined) return [];
  return (Array.isArray(list) ? list : [list]).map((element) => {
    const value = valueText(element);
    return entryOf(PERMISSION, {
      key: `${key}[${value}]`,
      value,
      subject: `${key}=${value}`,
      attributes: { ...facts(key, scope), ...ruleFacts(value, LISTS[key]) },
    });
  });
}

/** Tools that can do anything, under each of the names that a rule may use. */
const SHELLS = new Set(['*', 'bash', 'shell', 'shelltool', 'run_shell_command']);

function ruleFacts(rule: string, decision: string | undefined): Attributes {
  if (decision === undefined) return {};
  const { tool, pattern } = partsOfRule(rule);
  const isWide = pattern === undefined || pattern === '' || pattern === '*';
  const isTrustAll = decision === 'allow' && isWide && SHELLS.has(tool.toLowerCase());
  return {
    tool,
    decision,
    ...(pattern !== undefined && { pattern }),
    ...(isTrustAll && { trust_all: true }),
  };
}

interface ValueSetting {
  readonly key: string;
  readonly kind: EntryKind;
  readonly scope: Scope;
}

function valueEntry(settings: JsonObject, { key, kind, scope }: ValueSetting): StandingEntry[] {
  const value = valueAt(settings, key);
  if (value === undefined) return [];
  const text = valueText(value);
  return [
    entryOf(kind, {
      key,
      value: key === 'telemetry.otlpEndpoint' ? safeUrl(text) : text,
      attributes: facts(key, scope),
    }),
  ];
}

interface RawHook {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly command?: unknown;
  readonly url?: unknown;
}

/** Programs and addresses that the coding agent calls at events, per event and the calls that it matches. */
function hookEntries(hooks: unknown, scope: Scope): StandingEntry[] {
  return Object.entries(asObject(hooks) ?? {}).flatMap(([event, groups]) =>
    asList(groups).flatMap((group) => {
      const { matcher, hooks: list } = asObject<{ matcher?: unknown; hooks?: unknown }>(group) ?? {};
      return asList(list).flatMap((hook) =>
        hookEntry({ event, matcher: asText(matcher) ?? '*', scope }, asObject<RawHook>(hook)),
      );
    }),
  );
}

function hookEntry(
  { event, matcher, scope }: { event: string; matcher: string; scope: Scope },
  hook: RawHook | undefined,
): StandingEntry[] {
  const command = asText(hook?.command);
  const url = asText(hook?.url);
  const target = command ?? (url === undefined ? asText(hook?.name) : safeUrl(url));
  if (target === undefined) return [];
  const type = asText(hook?.type) ?? 'command';
  return [
    entryOf(PERMISSION, {
      key: `hooks.${event}[${matcher} ${type} ${target}]`,
      value: target,
      subject: `hooks.${event}=${matcher}:${target}`,
      attributes: { ...facts('hooks', scope), kind: 'hook', hook_event: event, matcher, hook_type: type },
    }),
  ];
}

function facts(setting: string, scope: Scope): Attributes {
  return { kind: 'setting', setting, scope };
}
