import { asObject, type JsonObject } from './fields.ts';

/** What a parser wrote down for the next version of a file; undefined at first sight, and for what is no object. */
export function remembered<Shape extends object = JsonObject>(memory: string | undefined): Shape | undefined {
  try {
    return memory === undefined ? undefined : asObject<Shape>(JSON.parse(memory));
  } catch {
    return undefined;
  }
}

/** The numbers in a remembered object, by their names. */
export function rememberedCounts(value: unknown): (readonly [name: string, count: number])[] {
  return Object.entries(asObject(value) ?? {}).flatMap(([name, count]) =>
    typeof count === 'number' ? [[name, count] as const] : [],
  );
}
