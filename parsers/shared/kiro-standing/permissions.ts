import type { Attributes } from '../../../agent/contract/row.ts';
import type { ParseContext, StandingEntry, StandingSpec } from '../../../agent/contract/source.ts';
import { asList, asObject, asText, type JsonObject } from '../fields.ts';
import { entryOf, jsonObjectReader, PERMISSION, yamlObjectReader } from '../standing.ts';
import { isWildcard } from './wildcard.ts';

/** Capabilities that, allowed as a whole, let the agent do anything. */
const EVERYTHING = new Set(['all', 'builtin', 'shell', 'filesystem', 'mcp']);

/**
 * Reader of `settings/permissions.yaml`, of those of one workspace, and of the administrator's settings: rules and named
 * policies. The first words of a file's path say which of them it is.
 */
export const readPermissions: StandingSpec['read'] = (document, context) =>
  context.path.endsWith('.json') ? fromJson(document, context) : fromYaml(document, context);

const fromYaml = yamlObjectReader(permissionEntries);
const fromJson = jsonObjectReader(permissionEntries);

function permissionEntries(file: JsonObject, context: ParseContext): StandingEntry[] {
  const scope = scopeOf(context);
  return [
    ...ruleEntries(file['rules'], scope),
    ...asList(file['policies']).flatMap((policy) => policyEntry(policy, scope)),
  ];
}

/** Where rules hold, and what every row of them says about that. */
export interface RuleScope {
  readonly name: string;
  readonly project: string | undefined;
  readonly attributes: Attributes;
}

function scopeOf(context: ParseContext): RuleScope {
  const project = context.project(undefined);
  const [first, folder = ''] = context.path.split('/');
  if (first === 'workspace-roots')
    return { name: 'workspace', project, attributes: { scope: 'workspace', workspace: folder } };
  const name = first === 'managed-settings.json' ? 'managed' : 'home';
  return { name, project, attributes: { scope: name } };
}

/** Each rule as a whole, wherever it stands; the same one twice is two. */
export function ruleEntries(rules: unknown, scope: RuleScope, prefix = 'permissions'): StandingEntry[] {
  const counts = new Map<string, number>();
  return asList(rules).flatMap((value) => {
    const rule = asObject(value);
    if (!rule) return [];
    const { capability, effect, match, exclude } = partsOf(rule);
    const value_ = `${effect} ${capability}${match.length > 0 ? ` match=[${match.join(', ')}]` : ''}${exclude.length > 0 ? ` exclude=[${exclude.join(', ')}]` : ''}`;
    const count = (counts.get(value_) ?? 0) + 1;
    counts.set(value_, count);
    return [
      entryOf(PERMISSION, {
        key: `${prefix}.rules[${value_}]${count === 1 ? '' : `#${count}`}`,
        value: value_,
        subject: `${prefix} ${value_}`,
        ...(scope.project !== undefined && { project: scope.project }),
        attributes: {
          kind: 'permission_rule',
          ...scope.attributes,
          capability,
          decision: effect,
          ...(match.length > 0 && { match: match.join('\n') }),
          ...(exclude.length > 0 && { exclude: exclude.join('\n') }),
          ...(isTrustAll(rule) && { trust_all: true }),
        },
      }),
    ];
  });
}

function partsOf(rule: JsonObject) {
  return {
    capability: asText(rule['capability']) ?? '-',
    effect: asText(rule['effect']) ?? '-',
    match: textsIn(rule['match']),
    exclude: textsIn(rule['exclude']),
  };
}

function textsIn(value: unknown): readonly string[] {
  return (typeof value === 'string' ? [value] : asList(value)).filter((item) => typeof item === 'string');
}

function isTrustAll(rule: JsonObject): boolean {
  const { capability, effect, match, exclude } = partsOf(rule);
  const isWide = match.length === 0 || match.some(isWildcard);
  return effect === 'allow' && EVERYTHING.has(capability) && isWide && exclude.length === 0;
}

function policyEntry(policy: unknown, scope: RuleScope): StandingEntry[] {
  const name = asText(policy);
  if (name === undefined) return [];
  return [
    entryOf(PERMISSION, {
      key: `permissions.policies[${name}]`,
      value: name,
      subject: `permissions policy=${name}`,
      ...(scope.project !== undefined && { project: scope.project }),
      attributes: { kind: 'permission_policy', ...scope.attributes, policy: name },
    }),
  ];
}

/** Reader of `.trust-migration.json`: the workspace whose older trust settings became rules. */
export const readTrustMigration = jsonObjectReader((file, context) => {
  const root = asText(file['root']);
  if (root === undefined) return [];
  const workspace = context.path.split('/')[1] ?? '';
  return [
    entryOf(PERMISSION, {
      key: 'trustMigration.root',
      value: root,
      subject: `trust migrated for ${root}`,
      project: root,
      attributes: { kind: 'trust_migration', scope: 'workspace', workspace },
    }),
  ];
});
