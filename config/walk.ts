import { z } from 'zod';

/** A place in the configuration: names of keys, and numbers of list items from 0. */
export type Path = readonly (string | number)[];

/** The schema without its default and without "or null". */
export function unwrap(schema: z.ZodType): z.ZodType {
  let bare = schema;
  while (bare instanceof z.ZodDefault || bare instanceof z.ZodPrefault || bare instanceof z.ZodNullable) {
    bare = bare.unwrap() as z.ZodType;
  }
  return bare;
}

/** The variant of a list item, told by its `type`. */
export function optionOf(union: z.ZodDiscriminatedUnion, value: unknown): z.ZodObject | undefined {
  const { discriminator } = union.def;
  const tag = Object(value)[discriminator];
  return variantsOf(union).find((option) => unwrap(option.shape[discriminator]).safeParse(tag).success);
}

export function variantsOf(union: z.ZodDiscriminatedUnion): readonly z.ZodObject[] {
  return union.options as z.ZodObject[];
}

/** The schema that a place of the given value is held against; undefined where no key is known. */
export function schemaAt(root: z.ZodType, path: Path, value: unknown): z.ZodType | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return root;
  const inner = innerSchema(unwrap(root), name, value);
  return inner && schemaAt(inner, rest, Object(value)[name]);
}

function innerSchema(schema: z.ZodType, name: string | number, value: unknown): z.ZodType | undefined {
  if (schema instanceof z.ZodObject)
    return Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType;
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const option = optionOf(schema, value);
    return option ? innerSchema(option, name, value) : undefined;
  }
  if (schema instanceof z.ZodUnion) {
    const list = (schema.options as z.ZodType[]).find((option) => option instanceof z.ZodArray);
    return typeof name === 'number' && list ? innerSchema(list, name, value) : undefined;
  }
  return undefined;
}

/** A path as the key of a map. */
export function pathKey(path: Path): string {
  return path.join('\0');
}

/** The value at a place, own properties only; undefined where there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let inner = value;
  for (const name of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, name)) return undefined;
    inner = (inner as Record<string | number, unknown>)[name];
  }
  return inner;
}
