import type { DraftRow, Emit } from '../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../agent/contract/source.ts';
import { badDocument, badElement, cutArray } from '../shared/bad-line.ts';
import { decodeLine, type LineRecord } from '../shared/jsonl.ts';
import { structureRefusal } from '../shared/structure.ts';
import { type ElementList, readAround, readElements } from './elements.ts';
import { type Place, readRecord, startScope } from './reader.ts';
import { asObject, type RawFacts } from './records.ts';
import { addBadRow } from './rows.ts';
import { createSession } from './state.ts';

/**
 * Parser of a session as releases before JSONL wrote it: one pretty-printed object with a `messages` array.
 * Its rows have the ids of those from the JSONL file that a resume makes of it.
 */
export function parseLegacySession(document: Document, context: ParseContext, emit: Emit): DocumentResult {
  const { bytes, settled } = document;
  const place: Place = { session: createSession(context), line: 1, emit };
  const refusal = structureRefusal(bytes);
  if (refusal !== undefined) return refuse(place, bytes, refusal);
  const list = readElements(bytes, ['messages']);
  if (!list) return readOther(place, document);
  const session = readParts(bytes, list);
  if (!session.isWhole && !settled) return 'torn';
  addSession(place, session);
  return 'parsed';
}

/** A document without messages: cut before them, a session that has none, or something else. */
function readOther(place: Place, { bytes, settled }: Document): DocumentResult {
  const { records, bad } = decodeLine(bytes, 1);
  const [record] = records;
  if (!record || bad || records.length > 1) {
    if (!settled) return 'torn';
    return bytes.length === 0 ? 'parsed' : refuse(place, bytes, 'not valid JSON');
  }
  if (isSession(record)) readRecord(place, record);
  else place.session.context.note('unknown_record');
  return 'parsed';
}

/** A session file, taken apart. */
interface Parts extends ElementList {
  readonly bytes: Buffer;
  /** Everything but the messages; undefined when it cannot be read. */
  readonly facts: LineRecord | undefined;
}

function readParts(bytes: Buffer, list: ElementList): Parts {
  const around = readAround(bytes, list.scan);
  return { bytes, ...list, facts: around.value, isWhole: around.isWhole && list.isWhole };
}

function addSession(place: Place, parts: Parts): void {
  const { session, emit } = place;
  if (parts.facts && isSession(parts.facts)) readRecord(place, parts.facts);
  for (const [index, { line, bytes, record }] of parts.elements.entries()) {
    if (typeof record !== 'string') readRecord({ session, line, emit }, record);
    else emitRow({ session, line, emit }, badElement(index + 1, { bytes, reason: record, line }));
  }
  const damage = damageOf(parts);
  if (damage) emitRow(place, damage);
}

/** Row for what is missing after the messages; what is wrong inside them has rows of its own. */
function damageOf({ bytes, scan, elements, isWhole }: Parts): DraftRow | undefined {
  if (isWhole) return undefined;
  const rest = { bytes: bytes.subarray(scan.end), reason: 'cut off', line: elements.at(-1)?.line ?? 1 };
  if (!scan.complete) return cutArray(elements.length, rest);
  const isInside = elements.some(({ record }) => typeof record === 'string');
  return isInside ? undefined : badDocument('session file damaged', rest);
}

function isSession(record: LineRecord): boolean {
  return typeof asObject<RawFacts>(record.value)?.sessionId === 'string';
}

function refuse(place: Place, bytes: Buffer, reason: string): DocumentResult {
  emitRow(place, badDocument('not a session file', { bytes, reason, line: 1 }));
  return 'parsed';
}

function emitRow(place: Place, row: DraftRow): void {
  const scope = startScope(place, undefined);
  addBadRow(scope, row);
  for (const added of scope.rows) place.emit(added);
}
