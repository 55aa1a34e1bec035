import { z } from 'zod';
import type { ConfigIssue } from '../agent/contract/errors.ts';
import { ENVIRONMENT, type Layer, type LayerResult, START } from './layer.ts';
import { nearest } from './suggest.ts';
import { type ConfigKey, SETTINGS } from './table.ts';
import { unwrap } from './walk.ts';
import { yamlLayer } from './yaml-layer.ts';

export type Env = Readonly<Record<string, string | undefined>>;

const PREFIX = 'HOLDFAST_';

/** One layer for every override that is set. An empty variable counts as not set. */
export function envLayers(env: Env): LayerResult[] {
  return SETTINGS.flatMap((key) => {
    const text = key.env === null ? undefined : env[key.env];
    return text === undefined || text === '' ? [] : [envLayer(key, text)];
  });
}

/** Variables with our prefix that override nothing: most likely a slip. */
export function strayVariables(env: Env, known: ReadonlySet<string>): ConfigIssue[] {
  const names = SETTINGS.flatMap((key) => key.env ?? []);
  const expected = new Set([...names, ...known]);
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && env[name] !== '' && !expected.has(name))
    .map((name) => {
      const near = nearest(name, names);
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      return { file: ENVIRONMENT, ...START, path: '', message: `${name} overrides no key${hint}` };
    });
}

function envLayer(key: ConfigKey, text: string): LayerResult {
  const place = { file: ENVIRONMENT, variable: key.env ?? '' };
  if (isText(key.schema) && text !== 'null')
    return { layer: nested(key.path, { ...place, value: text, position: () => START }) };
  const parsed = yamlLayer(text, place);
  if (!parsed.layer)
    return {
      issues: parsed.issues.map((issue) => ({
        ...issue,
        path: key.name,
        message: `${issue.message} (from ${key.env})`,
      })),
    };
  return { layer: nested(key.path, parsed.layer) };
}

/** Text is taken as it is: a path such as /srv/#1 must not be read as YAML. */
function isText(schema: z.ZodType): boolean {
  const bare = unwrap(schema);
  return bare instanceof z.ZodString || bare instanceof z.ZodEnum;
}

function nested(path: readonly string[], inner: Layer): Layer {
  let value = inner.value;
  for (const name of path.toReversed()) value = Object.assign(Object.create(null), { [name]: value });
  return { ...inner, value, position: (place) => inner.position(place.slice(path.length)) };
}
