import type { DraftRow } from '../../agent/contract/row.ts';
import type { Document } from '../../agent/contract/source.ts';
import { badDocument, cutArray } from '../shared/bad-line.ts';
import { plainUtf8 } from '../shared/byte-mark.ts';
import { asObject, type JsonObject } from '../shared/fields.ts';
import { scanJsonArray } from '../shared/json-array.ts';
import { structureRefusal } from '../shared/structure.ts';

/**
 * object: the document, and if its end is missing the row that says so. refused: none, and the row that says why.
 * torn: cut, and may be whole in a moment.
 */
export type ObjectRead =
  | { readonly kind: 'object'; readonly value: JsonObject; readonly bytes: Buffer; readonly cut?: DraftRow }
  | { readonly kind: 'refused'; readonly row: DraftRow | undefined }
  | { readonly kind: 'torn' };

/**
 * Reads a document that is one JSON object. One that stays cut gives what stands before the cut: the elements of the
 * list under `list` that are whole, and the keys before it. `what` names the file in rows: "a session".
 */
export function readObject(
  document: Document,
  { list, what }: { readonly list: string; readonly what: string },
): ObjectRead {
  const bytes = plainUtf8(document.bytes);
  const refusal = structureRefusal(bytes);
  if (refusal !== undefined) return refused(bytes, what, refusal);
  const parsed = parse(bytes);
  const value = asObject(parsed?.value);
  if (value) return { kind: 'object', value, bytes };
  if (parsed) return refused(bytes, what, 'not a JSON object');
  if (!document.settled) return { kind: 'torn' };
  return salvage(bytes, list) ?? refused(bytes, what, 'not valid JSON');
}

function refused(bytes: Buffer, what: string, reason: string): ObjectRead {
  const row = bytes.length === 0 ? undefined : badDocument(`not ${what}`, { bytes, reason, line: 1 });
  return { kind: 'refused', row };
}

function parse(bytes: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return undefined;
  }
}

const END = Buffer.from(']}');

function salvage(bytes: Buffer, list: string): ObjectRead | undefined {
  const scan = scanJsonArray(bytes, [list]);
  if (!scan) return undefined;
  const { elements } = scan;
  const end = elements.at(-1)?.end ?? scan.start + 1;
  const value = asObject(parse(Buffer.concat([bytes.subarray(0, end), END]))?.value);
  if (!value) return undefined;
  const rest = { bytes: bytes.subarray(end), reason: 'cut off', line: elements.at(-1)?.line ?? 1 };
  return { kind: 'object', value, bytes, cut: cutArray(elements.length, rest) };
}
