/** Checks for values out of files that anyone can edit: each field is unknown until it went through one of these. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object of a known shape; undefined for arrays, null and everything else. */
export function asObject<Shape extends object = JsonObject>(value: unknown): Shape | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Shape;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text that says something; undefined for the empty string and for what is no string. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The value at a dotted path; undefined when there is none. Only own keys count: a file can hold any name. */
export function valueAt(object: JsonObject, path: string): unknown {
  let value: unknown = object;
  for (const key of path.split('.')) {
    const inner = asObject(value);
    if (!inner || !Object.hasOwn(inner, key)) return undefined;
    value = inner[key];
  }
  return value;
}
