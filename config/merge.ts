import type { Layer } from './layer.ts';
import { CONFIG_KEYS } from './table.ts';
import { type Path, pathKey } from './walk.ts';

/** Layers put together, with the layer that gave each value. */
export interface Merged {
  readonly value: unknown;
  /** The layer that set a value or the map or list around it; undefined for a default. */
  originOf(path: Path): Layer | undefined;
}

type Tree = Record<string, unknown>;

/** `capture:` with every key below it commented out means no more than leaving it out. */
const CONTAINERS = new Set(
  CONFIG_KEYS.filter(({ isSection, defaultValue }) => isSection || isContainer(defaultValue)).map(
    ({ path }) => pathKey(path),
  ),
);

/** Maps are merged key by key; lists and single values of a later layer replace those of an earlier one. */
export function mergeLayers(layers: readonly Layer[]): Merged {
  const origins = new Map<string, Layer>();
  let value: unknown = Object.create(null);
  for (const layer of layers)
    value = mergeValue(value, layer.value ?? Object.create(null), { layer, origins, path: [] });
  return { value, originOf: (path) => nearestOrigin(path, origins) };
}

interface Step {
  readonly layer: Layer;
  readonly origins: Map<string, Layer>;
  readonly path: Path;
}

function mergeValue(base: unknown, over: unknown, step: Step): unknown {
  if (!isTree(over)) {
    step.origins.set(pathKey(step.path), step.layer);
    return over;
  }
  const merged: Tree = Object.assign(Object.create(null), isTree(base) ? base : {});
  if (!isTree(base) || Object.keys(over).length === 0) step.origins.set(pathKey(step.path), step.layer);
  for (const [name, value] of Object.entries(over)) {
    const path = [...step.path, name];
    if (value === null && CONTAINERS.has(pathKey(path))) continue;
    merged[name] = mergeValue(merged[name], value, { ...step, path });
  }
  return merged;
}

function nearestOrigin(path: Path, origins: ReadonlyMap<string, Layer>): Layer | undefined {
  for (let length = path.length; length >= 0; length--) {
    const layer = origins.get(pathKey(path.slice(0, length)));
    if (layer) return layer;
  }
  return undefined;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
