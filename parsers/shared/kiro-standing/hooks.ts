import type { StandingEntry } from '../../../agent/contract/source.ts';
import { asList, asObject, asText, type JsonObject } from '../fields.ts';
import { entryOf, jsonObjectReader, PERMISSION } from '../standing.ts';

/** A hook in either form. */
interface Hook {
  readonly name: string;
  readonly trigger: string;
  readonly matcher: string;
  readonly type: string;
  readonly target: string;
  readonly isEnabled: boolean;
}

/** A target longer than this is a whole prompt; its beginning says enough. */
const MAX_TARGET_CHARS = 1_000;

/** Reader of `hooks/*.kiro.hook`, one hook each, and of `hooks/*.json`, a list of them. */
export const readHooks = jsonObjectReader((file, context) => {
  const hooks = Array.isArray(file['hooks'])
    ? file['hooks'].flatMap((value) => newHook(asObject(value)) ?? [])
    : (oldHook(file) ?? []);
  const project = context.project(undefined);
  return hooks.map((hook) => ({ ...hookEntry(hook), ...(project !== undefined && { project }) }));
});

function newHook(raw: JsonObject | undefined): Hook | undefined {
  const action = asObject(raw?.['action']);
  if (!raw || !action) return undefined;
  return {
    name: asText(raw['name']) ?? 'unnamed',
    trigger: asText(raw['trigger']) ?? '-',
    matcher: asText(raw['matcher']) ?? '*',
    type: asText(action['type']) ?? 'command',
    target: targetOf(action),
    isEnabled: raw['enabled'] !== false,
  };
}

function oldHook(raw: JsonObject): Hook[] | undefined {
  const [when, then] = [asObject(raw['when']), asObject(raw['then'])];
  if (!when || !then) return undefined;
  const patterns = asList(when['patterns']).filter((pattern) => typeof pattern === 'string');
  return [
    {
      name: asText(raw['name']) ?? 'unnamed',
      trigger: asText(when['type']) ?? '-',
      matcher: patterns.length === 0 ? '*' : patterns.join(','),
      type: asText(then['type']) ?? '-',
      target: targetOf(then),
      isEnabled: raw['enabled'] !== false,
    },
  ];
}

function targetOf(action: JsonObject): string {
  return (asText(action['command']) ?? asText(action['prompt']) ?? '-').slice(0, MAX_TARGET_CHARS);
}

function hookEntry({ name, trigger, matcher, type, target, isEnabled }: Hook): StandingEntry {
  const state = isEnabled ? 'enabled' : 'disabled';
  return entryOf(PERMISSION, {
    key: `hooks.${name}.${trigger}[${matcher} ${type}]`,
    value: `${state} ${target}`,
    subject: `hooks.${trigger}=${matcher}:${type} ${target} (${state})`,
    attributes: {
      kind: 'hook',
      hook: name,
      hook_event: trigger,
      matcher,
      hook_type: type,
      enabled: isEnabled,
    },
  });
}
