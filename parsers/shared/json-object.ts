import { asObject, type JsonObject } from './fields.ts';
import { structureRefusal } from './structure.ts';

/** The JSON object in a whole file; a text says why there is none. */
export function jsonObjectIn(bytes: Buffer): JsonObject | string {
  const refusal = structureRefusal(bytes);
  if (refusal !== undefined) return refusal;
  try {
    return asObject(JSON.parse(bytes.toString('utf8'))) ?? 'not a JSON object';
  } catch {
    return 'not valid JSON';
  }
}
