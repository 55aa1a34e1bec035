import type { Cell } from '../../contract/source.ts';
import type { DatabaseHeader } from './header.ts';
import { Malformed } from './malformed.ts';
import { readVarint } from './varint.ts';

/** Where the value of a column lies in a record, and of which type it is (file format, section 2.1). */
export interface Field {
  readonly type: number;
  readonly at: number;
  readonly bytes: number;
}

const FIXED_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

/** The fields of a record from the bytes of its own header, which stands first. */
export function fieldsOf(payload: Buffer, recordBytes: number, page: number): Field[] {
  const header = readVarint(payload, 0);
  if (!header || header.value > payload.length) throw new Malformed('a broken record header', page);
  const fields: Field[] = [];
  let at = header.value;
  for (let next = header.next; next < header.value; ) {
    const type = readVarint(payload, next);
    if (!type || type.value < 0) throw new Malformed('a broken record header', page);
    const bytes = FIXED_BYTES[type.value] ?? Math.floor(Math.max(0, type.value - 12) / 2);
    fields.push({ type: type.value, at, bytes });
    at += bytes;
    next = type.next;
  }
  if (at > recordBytes) throw new Malformed('a record shorter than its columns', page);
  return fields;
}

/** Bytes that hold the header of a record, for one whose header alone spills over its page. */
export function headerBytesOf(payload: Buffer): number {
  return readVarint(payload, 0)?.value ?? 0;
}

export function cellOf(payload: Buffer, field: Field, encoding: DatabaseHeader['encoding']): Cell {
  const { type, at, bytes } = field;
  if (type >= 12) return textOrBlob(payload.subarray(at, at + bytes), type, encoding);
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return payload.readDoubleBE(at);
  if (type === 6) return exact(payload.readBigInt64BE(at));
  return bytes === 0 ? null : payload.readIntBE(at, bytes);
}

function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function textOrBlob(bytes: Buffer, type: number, encoding: DatabaseHeader['encoding']): Buffer {
  if (type % 2 === 0 || encoding === 'utf8') return bytes;
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  return Buffer.from((encoding === 'utf16be' ? even.swap16() : even).toString('utf16le'));
}
