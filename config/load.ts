import { ConfigError, type ConfigIssue } from '../agent/contract/errors.ts';
import { type Env, envLayers, strayVariables } from './env-layer.ts';
import { locateIssues } from './issues.ts';
import type { Layer, Position } from './layer.ts';
import { mergeLayers } from './merge.ts';
import { type FileOptions, readFiles } from './read-files.ts';
import { type Config, type ConfigValues, resolveConfig } from './resolve.ts';
import { CONFIG } from './schema.ts';
import { type Path, valueAt } from './walk.ts';

export interface LoadOptions extends FileOptions {
  /** Environment, of which the HOLDFAST_ variables of docs/config.md count. */
  readonly env?: Env;
  /** HOLDFAST_ variables with another meaning, which are no slip. */
  readonly otherVariables?: readonly string[];
}

/** Where a value came from. */
export type Origin =
  | { readonly kind: 'default' }
  | ({ readonly kind: 'file'; readonly file: string } & Position)
  | { readonly kind: 'environment'; readonly variable: string };

export interface LoadedConfig {
  readonly config: Config;
  /** The same with keys as in the files, for printing. */
  readonly values: ConfigValues;
  /** Files that were read, lowest first. */
  readonly files: readonly string[];
  /** What is suspicious and yet no error. */
  readonly warnings: readonly ConfigIssue[];
  /** `path` has keys as in the files: ['sinks', 0, 'url']. */
  origin(path: Path): Origin;
}

/**
 * Defaults, then the main file, then conf.d, then the environment; maps are merged, lists and single
 * values replaced. Throws one ConfigError with everything that is wrong.
 */
export function loadConfig(options: LoadOptions): LoadedConfig {
  const read = readFiles(options);
  const results = [...read.results, ...envLayers(options.env ?? {})];
  const layers = results.flatMap((result) => result.layer ?? []);
  const issues = [...read.issues, ...results.flatMap((result) => result.issues ?? [])];

  const merged = mergeLayers(layers);
  const parsed = CONFIG.safeParse(merged.value);
  if (!parsed.success) issues.push(...sorted(locateIssues(CONFIG, parsed.error.issues, merged), layers));
  if (!parsed.success || issues.length > 0) throw new ConfigError(issues);

  return {
    config: resolveConfig(parsed.data),
    values: parsed.data,
    files: layers.flatMap((layer) => (layer.variable === undefined ? layer.file : [])),
    warnings: [...read.warnings, ...strayVariables(options.env ?? {}, knownVariables(options, parsed.data))],
    origin: (path) => {
      if (valueAt(merged.value, path) === undefined) return { kind: 'default' };
      return originOf(merged.originOf(path), path);
    },
  };
}

function originOf(layer: Layer | undefined, path: Path): Origin {
  if (!layer) return { kind: 'default' };
  if (layer.variable !== undefined) return { kind: 'environment', variable: layer.variable };
  return { kind: 'file', file: layer.file, ...layer.position(path) };
}

/** In the order of the layers, and in each from top to bottom. */
function sorted(issues: readonly ConfigIssue[], layers: readonly Layer[]): ConfigIssue[] {
  const rank = new Map(layers.map(({ file }, index) => [file, index]));
  return issues.toSorted(
    (a, b) => (rank.get(a.file) ?? 0) - (rank.get(b.file) ?? 0) || a.line - b.line || a.column - b.column,
  );
}

/** Variables that the configuration itself names are no slips, whatever their prefix. */
function knownVariables(options: LoadOptions, values: ConfigValues): Set<string> {
  const named = values.sinks.flatMap((sink) =>
    'token_env' in sink ? [sink.token_env, sink.proxy_auth_env] : [],
  );
  return new Set([...(options.otherVariables ?? []), ...named.filter((name) => name !== null)]);
}
