import { isDeepStrictEqual } from 'node:util';
import { type Config, camelName } from './resolve.ts';
import { type ConfigKey, SETTINGS } from './table.ts';

export interface ConfigChange {
  /** Keys whose values differ, as in the files; sinks and labels by name: "sinks.siem", "labels.team". */
  readonly changed: readonly string[];
  /** Those among them that only a restart of the service applies. */
  readonly needsRestart: readonly string[];
}

/** What a reload would change. Applying it is up to the agent. */
export function diffConfig(before: Config, after: Config): ConfigChange {
  const changed: string[] = [];
  const needsRestart: string[] = [];
  for (const setting of SETTINGS) {
    const names = changedNames(setting, settingOf(before, setting), settingOf(after, setting));
    changed.push(...names);
    if (setting.facts.restart) needsRestart.push(...names);
  }
  return { changed, needsRestart };
}

function changedNames({ name }: ConfigKey, before: unknown, after: unknown): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [old, fresh] = [entriesOf(before), entriesOf(after)];
  if (!old || !fresh) return [name];
  const names = new Set([...old.keys(), ...fresh.keys()]);
  const differing = [...names].filter((entry) => !isDeepStrictEqual(old.get(entry), fresh.get(entry)));
  return differing.length === 0 ? [name] : differing.map((entry) => `${name}.${entry}`);
}

/** Entries by name: of a map by its keys, of a list by the ids of its items; undefined for other values. */
function entriesOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const ids = value.map((item: unknown) => Object(item).id);
  return ids.every((id) => typeof id === 'string')
    ? new Map(value.map((item) => [item.id, item]))
    : undefined;
}

function settingOf(config: Config, { path }: ConfigKey): unknown {
  return path.reduce<unknown>((inner, name) => Object(inner)[camelName(name)], config);
}
