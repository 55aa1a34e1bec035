/** Byte values that the JSON scanners look at. */
export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const LINE_FEED = 0x0a;

/** What JSON takes as white space between tokens. */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09;
}

export function skipSpace(bytes: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && isSpace(bytes[i])) i++;
  return i;
}

/** Index after the closing quote of the string that starts at `at`; -1 when it is cut off. */
export function endOfString(bytes: Uint8Array, at: number, end: number): number {
  for (let i = at + 1; i < end; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) return i + 1;
    if (byte === BACKSLASH) i++;
  }
  return -1;
}

/**
 * Index after the JSON value that starts at `at`; -1 when it is cut off. Brackets are counted, not
 * matched by kind: JSON.parse judges the piece afterwards. No recursion, so depth costs nothing.
 */
export function endOfValue(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at];
  if (first === QUOTE) return endOfString(bytes, at, end);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return endOfScalar(bytes, at, end);
  return endOfContainer(bytes, at, end);
}

function endOfContainer(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0;
  for (let i = at; i < end; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      i = endOfString(bytes, i, end) - 1;
      if (i < 0) return -1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
    } else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) {
      return i + 1;
    }
  }
  return -1;
}

/** A number or literal ends at a delimiter; one that runs to the end of the bytes may be cut. */
function endOfScalar(bytes: Uint8Array, at: number, end: number): number {
  for (let i = at; i < end; i++) {
    const byte = bytes[i];
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte)) {
      return i > at ? i : -1;
    }
  }
  return -1;
}
