import type { Attributes } from '../../../agent/contract/row.ts';
import type { StandingEntry, StandingSpec } from '../../../agent/contract/source.ts';
import { type JsonObject, valueAt } from '../../shared/fields.ts';
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
import { grantsAll, toolOfPattern } from './trust.ts';

/** Lists, each element of which is a setting of its own; with what it decides for the tools that it names. */
const LISTS: Readonly<Record<string, string | undefined>> = {
  'tools.sandboxAllowedPaths': undefined,
  'tools.core': undefined,
  'tools.allowed': 'allow',
  'tools.confirmationRequired': 'ask_user',
  'tools.exclude': 'deny',
  'mcp.allowed': undefined,
  'mcp.excluded': undefined,
  'security.allowedExtensions': undefined,
};

const VALUES: readonly string[] = [
  'general.defaultApprovalMode',
  'tools.sandbox',
  'tools.sandboxNetworkAccess',
  'security.toolSandboxing',
  'security.disableYoloMode',
  'security.disableAlwaysAllow',
  'security.enablePermanentToolApproval',
  'security.autoAddToPolicyByDefault',
  'security.blockGitExtensions',
  'security.folderTrust.enabled',
  'security.enableConseca',
];

const ENDPOINT = 'otlpEndpoint';

/** Settings that are no permissions, under what they are called. */
const OTHERS: readonly (readonly [kind: EntryKind, keys: readonly string[]])[] = [
  [
    RETENTION,
    ['enabled', 'maxAge', 'maxCount', 'minRetention'].map((key) => `general.sessionRetention.${key}`),
  ],
  [MODEL, ['model.name']],
  [TELEMETRY, ['enabled', 'target', ENDPOINT, 'outfile', 'logPrompts'].map((key) => `telemetry.${key}`)],
];

/** Approval modes that ask for little or nothing. `yolo` is refused by the program, and worth telling all the more. */
const TRUSTING_MODES = new Set(['auto_edit', 'autoEdit', 'yolo']);

/**
 * Reader of `settings.json`: permissions, retention, model, telemetry and the structure of MCP servers. No other key
 * is looked at, since servers and other settings embed credentials.
 */
export function settingsReader(scope: Scope): StandingSpec['read'] {
  return jsonObjectReader((settings, context) => {
    const entries = [
      ...Object.keys(LISTS).flatMap((key) => listEntries(settings, key, scope)),
      ...VALUES.flatMap((key) => valueEntry(settings, { key, kind: PERMISSION, scope })),
      ...OTHERS.flatMap(([kind, keys]) => keys.flatMap((key) => valueEntry(settings, { key, kind, scope }))),
      ...mcpServerEntries(settings['mcpServers'], { scope }),
    ];
    const project = projectFor(scope, context);
    return entries.map((entry) => ({ ...entry, ...project }));
  });
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
      attributes: { kind: 'setting', setting: key, scope, ...toolFacts(value, LISTS[key]) },
    });
  });
}

/** `run_shell_command(git status)` names a tool and what it may be called with. */
function toolFacts(pattern: string, decision: string | undefined): Attributes {
  if (decision === undefined) return {};
  const { tool, isNarrowed } = toolOfPattern(pattern);
  const isAll = decision === 'allow' && !isNarrowed && grantsAll(tool);
  return { tool, decision, ...(isAll && { trust_all: true }) };
}

interface ValueSetting {
  readonly key: string;
  readonly kind: EntryKind;
  readonly scope: Scope;
}

function valueEntry(settings: JsonObject, { key, kind, scope }: ValueSetting): StandingEntry[] {
  const value = valueAt(settings, key);
  if (value === undefined) return [];
  const recorded = valueText(value);
  const text = key === `telemetry.${ENDPOINT}` ? safeUrl(recorded) : recorded;
  const isTrusting = key === 'general.defaultApprovalMode' && TRUSTING_MODES.has(text);
  const attributes = {
    kind: 'setting',
    setting: key,
    scope,
    ...(isTrusting && { trust_all: true }),
  };
  return [entryOf(kind, { key, value: text, attributes })];
}
