import { endOfValue, isSpace, OPEN_BRACE, QUOTE } from './json-scan.ts';

/** A stretch of bytes that holds one JSON value, or one that holds none. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Torn records and places tried after them, over the whole line: bounds the work on hostile lines. */
const MAX_TRIES = 64;

/**
 * Splits a line that is not one JSON value into the values that stand on it back to back, as an append
 * after an interrupted one leaves them. `isValue` judges a stretch; what it refuses comes out as torn.
 */
export function splitGlued(
  bytes: Buffer,
  isValue: (piece: Piece) => boolean,
): { readonly torn: readonly Piece[]; readonly nulBytes: number } {
  const torn: Piece[] = [];
  const search = { bytes, isValue, tries: 0 };
  let nulBytes = 0;
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at] === 0) nulBytes++;
    if (bytes[at] === 0 || isSpace(bytes[at])) {
      at++;
      continue;
    }
    const end = endOfValue(bytes, at, bytes.length);
    if (end > 0 && isValue({ start: at, end })) {
      at = end;
      continue;
    }
    search.tries++;
    const next = nextRecord(search, at + 1);
    torn.push({ start: at, end: next.start });
    at = next.end;
  }
  return { torn, nulBytes };
}

interface Search {
  readonly bytes: Buffer;
  readonly isValue: (piece: Piece) => boolean;
  tries: number;
}

/**
 * The next whole object after a torn one. Inside a string a quote is always escaped, so the two bytes `{"`
 * can only open an object or close a string; only a stretch that is a whole value and is followed by
 * nothing or by another object counts, or the insides of the torn record would pass for records.
 */
function nextRecord(search: Search, from: number): Piece {
  const { bytes, isValue } = search;
  let at = from;
  for (; search.tries < MAX_TRIES; search.tries++) {
    at = bytes.indexOf(OPENING, at);
    if (at < 0) break;
    const end = endOfValue(bytes, at, bytes.length);
    if (end > 0 && isFollowedByRecord(bytes, end) && isValue({ start: at, end })) return { start: at, end };
    at++;
  }
  return { start: bytes.length, end: bytes.length };
}

const OPENING = Buffer.from([OPEN_BRACE, QUOTE]);

function isFollowedByRecord(bytes: Buffer, at: number): boolean {
  let i = at;
  while (i < bytes.length && (bytes[i] === 0 || isSpace(bytes[i]))) i++;
  return i === bytes.length || bytes[i] === OPEN_BRACE;
}
