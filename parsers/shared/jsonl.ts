import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { type Piece, splitGlued } from './glued.ts';
import { isSpace, OPEN_BRACE } from './json-scan.ts';
import { structureRefusal } from './structure.ts';

/** Attributes of every row of a record whose bytes were not valid UTF-8 and were decoded with loss. */
export interface LossyMark {
  readonly encoding: 'lossy';
  readonly raw_sha256: string;
}

/** One JSON value of a line, and the bytes it came from. */
export interface LineRecord {
  readonly value: unknown;
  readonly bytes: Buffer;
  readonly lossy: LossyMark | undefined;
}

/** What could not be read: why, and the bytes. Points into the line; copy what you keep. */
export interface BadPart {
  readonly reason: string;
  readonly bytes: Buffer;
}

/** A line has no record (blank), one, or several that were glued together; and at most one bad part. */
export interface DecodedLine {
  readonly records: readonly LineRecord[];
  readonly bad: BadPart | undefined;
}

/** What decoding puts in place of bytes that are not UTF-8; it may also stand in the text itself. */
const REPLACEMENT = '\ufffd';

const BLANK: DecodedLine = { records: [], bad: undefined };

/**
 * Decodes one raw line of a JSONL file (without its line feed) into JSON values. Never throws.
 * A trailing carriage return is white space to JSON; a byte order mark counts only at the start of line 1.
 */
export function decodeLine(bytes: Buffer, line: number): DecodedLine {
  if (bytes[0] === OPEN_BRACE && structureRefusal(bytes) === undefined) {
    const record = parse(bytes);
    if (record) return { records: [record], bad: undefined };
  }
  return decodeDamaged(withoutMark(bytes, line));
}

function decodeDamaged(bytes: Buffer): DecodedLine {
  const { start, end, nulBytes } = trim(bytes);
  if (start === end) return nulBytes === 0 ? BLANK : nulLine(nulBytes);
  const body = bytes.subarray(start, end);
  const refusal = structureRefusal(body);
  if (refusal !== undefined) return { records: [], bad: { reason: refusal, bytes: body } };
  const record = parse(body);
  if (record) return { records: [record], bad: nulBytes === 0 ? undefined : nulPart(nulBytes) };
  return recover(body, nulBytes);
}

/** `around` counts the NUL bytes that stood before and after the body. */
function recover(body: Buffer, around: number): DecodedLine {
  const records: LineRecord[] = [];
  const { torn, nulBytes } = splitGlued(body, (piece) => {
    const record = parse(slice(body, piece));
    if (record) records.push(record);
    return record !== undefined;
  });
  const [first] = torn;
  if (first) {
    const part = torn.length === 1 ? slice(body, first) : body;
    return { records, bad: { reason: 'not valid JSON', bytes: part } };
  }
  const nul = around + nulBytes;
  return { records, bad: nul === 0 ? undefined : nulPart(nul) };
}

function parse(bytes: Buffer): LineRecord | undefined {
  try {
    const text = bytes.toString('utf8');
    const value: unknown = JSON.parse(text);
    const isLossy = text.includes(REPLACEMENT) && !isUtf8(bytes);
    return { value, bytes, lossy: isLossy ? lossyMark(bytes) : undefined };
  } catch {
    return undefined;
  }
}

function lossyMark(bytes: Buffer): LossyMark {
  return { encoding: 'lossy', raw_sha256: hash('sha256', bytes, 'hex') };
}

function slice(bytes: Buffer, piece: Piece): Buffer {
  return bytes.subarray(piece.start, piece.end);
}

function withoutMark(bytes: Buffer, line: number): Buffer {
  const marked = line === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return marked ? bytes.subarray(3) : bytes;
}

/** Bounds without white space and NUL runs at both ends: a crash leaves NUL where an append was cut. */
function trim(bytes: Buffer): { start: number; end: number; nulBytes: number } {
  let start = 0;
  let end = bytes.length;
  let nulBytes = 0;
  while (start < end && (bytes[start] === 0 || isSpace(bytes[start]))) if (bytes[start++] === 0) nulBytes++;
  while (end > start && (bytes[end - 1] === 0 || isSpace(bytes[end - 1]))) if (bytes[--end] === 0) nulBytes++;
  return { start, end, nulBytes };
}

function nulLine(count: number): DecodedLine {
  return { records: [], bad: nulPart(count) };
}

/** NUL bytes stand for themselves: the same number of them gives the same row, whatever they surround. */
function nulPart(count: number): BadPart {
  return { reason: `${count} NUL bytes`, bytes: Buffer.alloc(count) };
}
