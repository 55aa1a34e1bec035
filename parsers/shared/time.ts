import type { TimestampSource } from '../../agent/contract/row.ts';

/** When something happened, and where that is known from. */
export interface Time {
  readonly utc: string | null;
  readonly source: TimestampSource;
  /** As the record has it, where that says more: the offset of its clock, or less than a millisecond. */
  readonly original?: string;
}

export const NO_TIME: Time = { utc: null, source: 'none' };

/** Date, time, optional fraction, offset: the profile of ISO 8601 that RFC 3339 fixes. */
const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** An RFC 3339 time as UTC with milliseconds; null for anything else, also for the 30th of February. */
export function toUtc(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return isCanonical(value) ? value : normalise(value);
}

/** A time in milliseconds since 1970 as UTC; null outside the years 0 to 9999. */
export function utcOfMs(ms: number): string | null {
  if (!(ms >= -62_167_219_200_000 && ms <= 253_402_300_799_999)) return null;
  return new Date(ms).toISOString();
}

function normalise(value: string): string | null {
  const match = RFC_3339.exec(value);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = match;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
  if (!isCanonical(local)) return null;
  if (sign === undefined) return local;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000;
  return utcOfMs(Date.parse(local) - (sign === '-' ? -offset : offset));
}

/**
 * Whether the text is `YYYY-MM-DDTHH:MM:SS.mmmZ` and names a real time. Nearly every time in a store has
 * this form already, so it is told without making a Date.
 */
function isCanonical(text: string): boolean {
  if (text.length !== 24 || !hasCanonicalMarks(text)) return false;
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  if (!(month >= 1 && month <= 12 && day >= 1)) return false;
  if (!(digits(text, 11, 13) < 24 && digits(text, 14, 16) < 60 && digits(text, 17, 19) < 60)) return false;
  const year = digits(text, 0, 4);
  return digits(text, 20, 23) >= 0 && year >= 0 && day <= daysOf(year, month);
}

function hasCanonicalMarks(text: string): boolean {
  return (
    text[4] === '-' &&
    text[7] === '-' &&
    text[10] === 'T' &&
    text[13] === ':' &&
    text[16] === ':' &&
    text[19] === '.' &&
    text[23] === 'Z'
  );
}

/** The number in a stretch of decimal digits; NaN when something else stands there. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
