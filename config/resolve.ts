import { z } from 'zod';
import { CONFIG } from './schema.ts';
import { optionOf, unwrap } from './walk.ts';

/**
 * Files and messages speak snake_case, code speaks camelCase. The schema describes the former; this is
 * the one place where a validated value becomes the latter. Names that the user chose (labels) and
 * names of coding agents stay as they are.
 */
export type Config = Camel<ConfigValues>;

/** The whole configuration with every default filled in, keys as in config.yaml. */
export type ConfigValues = z.output<typeof CONFIG>;

export type SinkConfig = Config['sinks'][number];

type Camel<T> = T extends readonly (infer Item)[]
  ? readonly Camel<Item>[]
  : T extends object
    ? { readonly [K in keyof T as CamelName<K>]: Camel<T[K]> }
    : T;

type CamelName<K> = K extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail> & string>}`
  : K;

export function resolveConfig(values: ConfigValues): Config {
  return rename(CONFIG, values) as Config;
}

export function camelName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function rename(schema: z.ZodType, value: unknown): unknown {
  const bare = unwrap(schema);
  if (bare instanceof z.ZodObject) return renameKeys(bare, value as Record<string, unknown>);
  if (bare instanceof z.ZodDiscriminatedUnion) return rename(optionOf(bare, value) ?? z.unknown(), value);
  if (bare instanceof z.ZodArray)
    return (value as unknown[]).map((item) => rename(bare.element as z.ZodType, item));
  return value;
}

function renameKeys(schema: z.ZodObject, value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, inner]) => [
      camelName(name),
      rename(inner as z.ZodType, value[name]),
    ]),
  );
}
