import { formatPath } from './layer.ts';
import type { LoadedConfig, Origin } from './load.ts';
import type { Path } from './walk.ts';

/** One effective setting, and where it came from. */
export interface ExplainedSetting {
  /** "capture.sweep_seconds", "sinks[0].url". */
  readonly name: string;
  readonly value: unknown;
  readonly origin: Origin;
}

/** Every effective setting in the order of the schema. Values are safe to show: secrets are references. */
export function explainConfig({
  values,
  origin,
}: Pick<LoadedConfig, 'values' | 'origin'>): ExplainedSetting[] {
  return [...settingsIn(values, [])].map(([path, value]) => ({
    name: formatPath(path),
    value,
    origin: origin(path),
  }));
}

function* settingsIn(value: unknown, path: Path): Generator<readonly [Path, unknown]> {
  if (Array.isArray(value) && value.some(isMap)) {
    for (const [index, item] of value.entries()) yield* settingsIn(item, [...path, index]);
  } else if (isMap(value) && Object.keys(value).length > 0) {
    for (const [name, inner] of Object.entries(value)) yield* settingsIn(inner, [...path, name]);
  } else yield [path, value];
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
