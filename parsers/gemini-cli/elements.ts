import { hash } from 'node:crypto';
import type { DraftRow } from '../../agent/contract/row.ts';
import { badDocument, badElement, cutArray } from '../shared/bad-line.ts';
import { type ArrayScan, scanJsonArray } from '../shared/json-array.ts';
import { skipSpace } from '../shared/json-scan.ts';
import { decodeLine, type LineRecord } from '../shared/jsonl.ts';
import { asObject } from './records.ts';

/** One element of an array in a document. */
export interface Element {
  readonly line: number;
  readonly bytes: Buffer;
  /** The element, or why it cannot be read. */
  readonly record: LineRecord | string;
}

/** An array in a document, as far as it is there. */
export interface ElementList {
  readonly scan: ArrayScan;
  readonly elements: readonly Element[];
  /** Nothing is missing or unreadable. */
  readonly isWhole: boolean;
}

/** The array at a key path (empty: the document itself); undefined when there is none. */
export function readElements(bytes: Buffer, path: readonly string[]): ElementList | undefined {
  const scan = scanJsonArray(bytes, path);
  if (!scan) return undefined;
  const elements = scan.elements.map(({ start, end, line }) => readElement(bytes.subarray(start, end), line));
  return {
    scan,
    elements,
    isWhole: scan.complete && elements.every(({ record }) => typeof record !== 'string'),
  };
}

export function readElement(bytes: Buffer, line: number): Element {
  const { records, bad } = decodeLine(bytes, line);
  const [record] = records;
  if (record && !bad && asObject(record.value)) return { line, bytes, record };
  return { line, bytes, record: bad?.reason ?? 'not a JSON object' };
}

/** The one JSON value of some bytes; undefined when they hold none, or more. */
export function decodeOne(bytes: Buffer): LineRecord | undefined {
  const { records, bad } = decodeLine(bytes, 1);
  return records.length === 1 && !bad ? records[0] : undefined;
}

const NO_ELEMENTS = Buffer.from('[]');
const END = Buffer.from('}');

/** The document around the array, as far as it is there: everything but the elements. */
export function readAround(
  bytes: Buffer,
  scan: ArrayScan,
): { value: LineRecord | undefined; isWhole: boolean } {
  const head = bytes.subarray(0, scan.start);
  const whole = scan.complete
    ? decodeOne(Buffer.concat([head, NO_ELEMENTS, bytes.subarray(scan.end)]))
    : undefined;
  if (whole) return { value: whole, isWhole: true };
  return { value: decodeOne(Buffer.concat([head, NO_ELEMENTS, END])), isWhole: false };
}

/** Row for an array that is cut off: what is left of the next element, or only that the end is missing. */
export function cutRow(bytes: Buffer, { scan, elements }: ElementList): DraftRow {
  const count = elements.length;
  const start = skipSpace(bytes, scan.end, bytes.length);
  const rest = bytes.subarray(start);
  const line = lineAt(bytes, start);
  if (rest.length > 0) return badElement(count + 1, { bytes: rest, reason: 'cut off', line });
  const row = cutArray(count, { bytes: rest, reason: 'cut off', line });
  return { ...row, record: `bytes:${hash('sha256', bytes, 'hex').slice(0, 32)}` };
}

/** Row for what stands after the array; undefined when nothing does. */
export function restRow(bytes: Buffer, { scan }: ElementList, what: string): DraftRow | undefined {
  const start = skipSpace(bytes, scan.end, bytes.length);
  if (start === bytes.length) return undefined;
  return badDocument(what, {
    bytes: bytes.subarray(start),
    reason: 'more after the end of the list',
    line: lineAt(bytes, start),
  });
}

function lineAt(bytes: Buffer, end: number): number {
  let line = 1;
  for (let at = bytes.indexOf(0x0a); at >= 0 && at < end; at = bytes.indexOf(0x0a, at + 1)) line++;
  return line;
}
