import type { TimestampSource } from '../../../agent/contract/row.ts';
import { NO_TIME, type Time, toUtc, utcOfMs } from '../time.ts';

/** When something happened, and how that is known. */
/** Below this a number counts seconds: as milliseconds it would be a day of 1973. */
const MIN_MS = 1e11;

/** A time in any form of the family: seconds or milliseconds since 1970, as number or text, or RFC 3339. */
export function timeOf(value: unknown, source: TimestampSource = 'record'): Time {
  const number = typeof value === 'string' && /^\d{9,17}$/.test(value) ? Number(value) : value;
  const utc = typeof number === 'number' ? utcOfNumber(number) : toUtc(value);
  if (utc === null) return NO_TIME;
  return saysMore(value) ? { utc, source, original: value } : { utc, source };
}

/** An offset other than none, or more digits than those of a millisecond. */
function saysMore(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /(?:\.\d{3}\d*[1-9]\d*[Zz]?|[+-](?!00:00)\d\d:\d\d)(?:[+-]\d\d:\d\d)?$/.test(value)
  );
}

/** The same moment for a record that only stands beside the one that has it. */
export function derived(time: Time): Time {
  return time.utc === null ? NO_TIME : { utc: time.utc, source: 'derived' };
}

function utcOfNumber(number: number): string | null {
  return number > 0 ? utcOfMs(Math.trunc(number < MIN_MS ? number * 1000 : number)) : null;
}
