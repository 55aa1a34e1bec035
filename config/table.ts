import { z } from 'zod';
import { expectation } from './expectation.ts';
import { factsOf, type KeyFacts } from './key.ts';
import { CONFIG } from './schema.ts';
import { unwrap, variantsOf } from './walk.ts';

/** One key as documentation, environment overrides and reloads see it. */
export interface ConfigKey {
  /** Names of keys from the top; `[]` stands for any item of a list. */
  readonly path: readonly string[];
  /** "capture.sweep_seconds", "sinks[].url". */
  readonly name: string;
  /** Kind of sink that has the key; null for a key of the whole configuration. */
  readonly variant: string | null;
  readonly schema: z.ZodType;
  readonly facts: KeyFacts;
  /** What a value must be: "a whole number from 1 to 3600". */
  readonly expected: string;
  /** Undefined when the key has no default and must be given. */
  readonly defaultValue: unknown;
  /** Environment variable that overrides it; null inside lists. */
  readonly env: string | null;
  /** True for a map of known keys, which has no value of its own. */
  readonly isSection: boolean;
}

/** Every key, in the order of the schema, a section before its keys. */
export const CONFIG_KEYS: readonly ConfigKey[] = [...keysOf(CONFIG, [], null)];

/** Keys that have a fixed place and a value. */
export const SETTINGS: readonly ConfigKey[] = CONFIG_KEYS.filter(({ env }) => env !== null);

function* keysOf(schema: z.ZodType, path: readonly string[], variant: string | null): Generator<ConfigKey> {
  const bare = unwrap(schema);
  if (bare instanceof z.ZodObject) {
    for (const [name, inner] of Object.entries(bare.shape))
      yield* keyAt(inner as z.ZodType, [...path, name], variant);
  } else if (bare instanceof z.ZodArray) {
    yield* keysOf(bare.element as z.ZodType, [...path, '[]'], variant);
  } else if (bare instanceof z.ZodDiscriminatedUnion) {
    for (const option of variantsOf(bare)) yield* keysOf(option, path, expectation(option.shape['type']));
  }
}

function* keyAt(schema: z.ZodType, path: readonly string[], variant: string | null): Generator<ConfigKey> {
  const isSection = unwrap(schema) instanceof z.ZodObject;
  yield {
    path,
    name: path.join('.').replaceAll('.[]', '[]'),
    variant,
    schema,
    facts: factsOf(schema) ?? { doc: '' },
    expected: expectation(schema),
    defaultValue: schema.safeParse(undefined).data,
    env: isSection || path.includes('[]') ? null : envName(path),
    isSection,
  };
  yield* keysOf(schema, path, variant);
}

function envName(path: readonly string[]): string {
  return `HOLDFAST_${path.join('_').replaceAll('-', '_').toUpperCase()}`;
}
