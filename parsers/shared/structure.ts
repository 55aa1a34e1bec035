import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  endOfString,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-scan.ts';

/** Lines and documents up to this size cannot hold enough values to endanger the process. */
const UNCHECKED_BYTES = 1 << 20;

/**
 * Values that one line or document may hold: every `{`, `[` and `,` outside strings counts. JSON.parse
 * needs up to 60 bytes of heap for each, and an abort of V8 cannot be caught. The densest records of
 * real stores (terminal cells) hold about 80,000 a megabyte.
 */
const MAX_VALUES = 2_000_000;

/** Levels of brackets. JSON.parse takes more, JSON.stringify of the result does not. */
const MAX_DEPTH = 500;

/** Longer text than this does not fit into one string of V8. */
const MAX_BYTES = 512 * 1024 * 1024 - 32;

/** Why bytes must not be given to JSON.parse; undefined when they may. */
export function structureRefusal(bytes: Uint8Array): string | undefined {
  if (bytes.length <= UNCHECKED_BYTES) return undefined;
  if (bytes.length > MAX_BYTES) return 'too long';
  return scanStructure(bytes);
}

/** Whether any value in the bytes is nested deeper than JSON.stringify can follow. */
export function isNestedTooDeeply(bytes: Uint8Array): boolean {
  return scanStructure(bytes) === TOO_DEEP;
}

const TOO_DEEP = 'nested too deeply';
const TOO_MANY = 'too many values';

/** What each byte outside a string adds to the count of values, and to the depth. */
const VALUES = tableOf({ [COMMA]: 1, [OPEN_BRACE]: 1, [OPEN_BRACKET]: 1 });
const LEVELS = tableOf({ [OPEN_BRACE]: 1, [OPEN_BRACKET]: 1, [CLOSE_BRACE]: -1, [CLOSE_BRACKET]: -1 });

function scanStructure(bytes: Uint8Array): string | undefined {
  const end = bytes.length;
  let values = 0;
  let depth = 0;
  for (let i = 0; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === QUOTE) {
      i = endOfString(bytes, i, end) - 1;
      if (i < 0) return undefined;
      continue;
    }
    values += VALUES[byte] ?? 0;
    depth += LEVELS[byte] ?? 0;
    if (values > MAX_VALUES) return TOO_MANY;
    if (depth > MAX_DEPTH) return TOO_DEEP;
  }
  return undefined;
}

function tableOf(entries: Readonly<Record<number, number>>): Int8Array {
  const table = new Int8Array(256);
  for (const [byte, value] of Object.entries(entries)) table[Number(byte)] = value;
  return table;
}
