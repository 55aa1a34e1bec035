import { createScanner } from 'jsonc-parser';

/** Kinds of token that matter here; the package has them as a const enum, which cannot be imported. */
const CLOSE_BRACE = 2;
const CLOSE_BRACKET = 4;
const COMMA = 5;
const END = 17;
/** Comments, line breaks and blanks. */
const TRIVIA: ReadonlySet<number> = new Set([12, 13, 14, 15]);

/**
 * JSON with comments, commas before a closing bracket and a byte order mark at the start, as a value. Throws a
 * SyntaxError for anything else. JSON.parse reads what is left, so `__proto__` stays a plain key.
 */
export function parseJsonc(text: string): unknown {
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text;
  const scanner = createScanner(bare, false);
  const kept: string[] = [];
  let comma = -1;
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    if (TRIVIA.has(token)) continue;
    if (comma >= 0 && (token === CLOSE_BRACE || token === CLOSE_BRACKET)) kept[comma] = '';
    comma = token === COMMA ? kept.length : -1;
    const start = scanner.getTokenOffset();
    kept.push(bare.slice(start, start + scanner.getTokenLength()));
  }
  return JSON.parse(kept.join(' '));
}
