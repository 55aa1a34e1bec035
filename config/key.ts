import { z } from 'zod';

/** What is known about a key beside its schema: documentation, and how a change of it takes effect. */
export interface KeyFacts {
  /** What the key decides, in one or two plain sentences. Units are in the key's name. */
  readonly doc: string;
  /** Set when a change takes effect only after the service was restarted. */
  readonly restart?: true;
  /** Set when the value names where a secret is kept (never the secret itself). */
  readonly secret?: true;
  /** Value shown in the example file, where the default would teach nothing. */
  readonly example?: unknown;
}

const FACTS = z.registry<KeyFacts>();
const EXPECTED = z.registry<{ readonly expected: string }>();

/** One key of the configuration. Call it last in a chain: zod makes a new schema at every step. */
export function key<T extends z.ZodType>(schema: T, facts: KeyFacts): T {
  FACTS.add(schema, facts);
  return schema;
}

export function factsOf(schema: z.ZodType): KeyFacts | undefined {
  return FACTS.get(schema);
}

/** Says in words what a value must be, where the schema alone does not tell: "an absolute path". */
export function expecting<T extends z.ZodType>(expected: string, schema: T): T {
  EXPECTED.add(schema, { expected });
  return schema;
}

export function expectedBy(schema: z.ZodType): string | undefined {
  return EXPECTED.get(schema)?.expected;
}

/** A map of known keys that may be left out as a whole. Unknown keys are refused. */
export function section<T extends z.ZodType<object>>(schema: T, facts: KeyFacts): z.ZodPrefault<T> {
  return key(schema.prefault({} as z.input<T>), facts);
}
