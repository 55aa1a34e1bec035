import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  endOfString,
  endOfValue,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipSpace,
} from './json-scan.ts';

/** One element of an array: its bytes are [start, end), and `line` (from 1) is where it starts. */
interface ArrayElement {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** An array inside a document, element by element, as far as it is there. */
export interface ArrayScan {
  /** The opening bracket. */
  readonly start: number;
  /** After the closing bracket; when the array is cut off, where the unreadable rest begins. */
  readonly end: number;
  readonly elements: readonly ArrayElement[];
  readonly complete: boolean;
}

/**
 * Finds the array at a key path (empty: the document itself) and the place of each element, without
 * parsing: a document cut in the middle still gives its complete leading elements. Undefined when there
 * is no array at the path.
 */
export function scanJsonArray(bytes: Buffer, path: readonly string[]): ArrayScan | undefined {
  let at = skipSpace(bytes, startOf(bytes), bytes.length);
  for (const key of path) {
    at = valueOfKey(bytes, at, JSON.stringify(key));
    if (at < 0) return undefined;
  }
  return bytes[at] === OPEN_BRACKET ? scanElements(bytes, at) : undefined;
}

/** Past a byte order mark. */
function startOf(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Where the value of a key starts in the object at `at`; -1 when there is no such key. */
function valueOfKey(bytes: Buffer, at: number, key: string): number {
  if (bytes[at] !== OPEN_BRACE) return -1;
  const end = bytes.length;
  let i = skipSpace(bytes, at + 1, end);
  while (bytes[i] === QUOTE) {
    const keyEnd = endOfString(bytes, i, end);
    if (keyEnd < 0) return -1;
    const found = keyEnd - i === Buffer.byteLength(key) && bytes.toString('utf8', i, keyEnd) === key;
    i = skipSpace(bytes, keyEnd, end);
    if (bytes[i] !== COLON) return -1;
    i = skipSpace(bytes, i + 1, end);
    if (found) return i;
    i = endOfValue(bytes, i, end);
    if (i < 0) return -1;
    i = skipSpace(bytes, i, end);
    if (bytes[i] === COMMA) i = skipSpace(bytes, i + 1, end);
  }
  return -1;
}

function scanElements(bytes: Buffer, start: number): ArrayScan {
  const lines = lineCounter(bytes);
  const elements: ArrayElement[] = [];
  const end = bytes.length;
  let at = skipSpace(bytes, start + 1, end);
  while (at < end && bytes[at] !== CLOSE_BRACKET && bytes[at] !== CLOSE_BRACE) {
    const after = endOfValue(bytes, at, end);
    if (after < 0) break;
    elements.push({ start: at, end: after, line: lines(at) });
    at = skipSpace(bytes, after, end);
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1, end);
  }
  const complete = bytes[at] === CLOSE_BRACKET;
  return { start, end: complete ? at + 1 : at, elements, complete };
}

/** Line number (from 1) of a place; places must be asked for in rising order. */
function lineCounter(bytes: Buffer): (at: number) => number {
  let line = 1;
  let next = bytes.indexOf(LINE_FEED);
  return (at) => {
    while (next >= 0 && next < at) {
      line++;
      next = bytes.indexOf(LINE_FEED, next + 1);
    }
    return line;
  };
}
