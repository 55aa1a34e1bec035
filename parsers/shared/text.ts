/**
 * Text as rows may carry it: well-formed Unicode (a lone half of a surrogate pair becomes U+FFFD) and no
 * U+0000, which several collectors refuse or cut at; it is shown as U+2400 instead.
 */
export function cleanText(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed();
  return formed.includes('\0') ? formed.replaceAll('\0', '\u2400') : formed;
}

/** Control characters, C1 included, and the two line breaks that JSON leaves raw. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * The start of some bytes as one short line for people: decoded with replacement characters, runs of
 * white space and control characters shown as one space, at most `max` characters.
 */
export function excerpt(bytes: Buffer, max: number): string {
  const text = bytes
    .toString('utf8', 0, Math.min(bytes.length, max * 4))
    .replace(CONTROL, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  const whole = bytes.length <= max * 4 && text.length <= max;
  return whole ? text : `${text.slice(0, max).toWellFormed()}\u2026`;
}
