/** HTTP dates have three forms; all are in GMT, the last one without saying so. */
const HTTP_DATE = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** One hour: a server that asks for more, by mistake or not, is asked again after it. */
const LONGEST_MS = 60 * 60_000;

export interface RetryAfterContext {
  /** The answer's own Date header: its clock counts, ours may be wrong. */
  readonly date: string | undefined;
  readonly now: number;
}

/** Milliseconds to wait as a Retry-After header says (seconds or a date), or undefined if it says nothing. */
export function retryAfterMs(header: string | undefined, context: RetryAfterContext): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return clamp(Number(text) * 1000);
  const at = httpDate(text);
  if (at === undefined) return undefined;
  return clamp(at - (httpDate(context.date?.trim() ?? '') ?? context.now));
}

function httpDate(text: string): number | undefined {
  if (!HTTP_DATE.some((form) => form.test(text))) return undefined;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
}

function clamp(ms: number): number {
  return Math.min(Math.max(ms, 0), LONGEST_MS);
}
