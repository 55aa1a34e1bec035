import type { LogFields } from '../contract/logger.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One thing to log, before it became a line. */
export interface LogEntry {
  /** RFC 3339. */
  readonly time: string;
  readonly level: LogLevel;
  readonly component: string;
  readonly message: string;
  readonly fields: LogFields;
}

type Clean = (text: string) => string;

/** Names of a JSON line that fields cannot take. */
const OWN_NAMES = new Set(['time', 'level', 'component', 'message']);

/** Characters that end a line, move the cursor, turn the reading direction or cannot be seen. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** `2026-11-30T12:00:00.000Z warn  delivery sink is away event=sink.retrying sink=siem`. */
export function textLine(entry: LogEntry, clean: Clean): string {
  const head = [entry.time, entry.level.padEnd(5), entry.component, entry.message]
    .map(clean)
    .map(escapeUnsafe);
  const fields = Object.entries(entry.fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${safeName(clean(name))}=${quoted(clean(String(value)))}`);
  return [...head, ...fields].join(' ');
}

export function jsonLine({ time, level, component, message, fields }: LogEntry, clean: Clean): string {
  const cleaned = Object.entries(fields).map(([name, value]) => [
    OWN_NAMES.has(name) ? `${name}_` : clean(name),
    typeof value === 'string' ? clean(value) : value,
  ]);
  const own = { time, level, component: clean(component), message: clean(message) };
  return escapeUnsafe(JSON.stringify({ ...own, ...Object.fromEntries(cleaned) }));
}

/** Cuts what is too long for a line and says how much was cut. */
export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…(${text.length - maxLength} more)`;
}

function quoted(text: string): string {
  const safe = escapeUnsafe(text.replace(/[\\"]/g, '\\$&'));
  return safe === text && /^[^\s=]+$/.test(safe) ? safe : `"${safe}"`;
}

function safeName(name: string): string {
  return name.replace(/[^\w.[\]-]/g, '_');
}

/** Escapes as JSON does, so that the result is right inside and outside of JSON. */
function escapeUnsafe(text: string): string {
  return text.replace(UNSAFE, (found) => SHORT_ESCAPES[found] ?? unicodeEscape(found));
}

function unicodeEscape(found: string): string {
  return Array.from({ length: found.length }, (_, index) => {
    return `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}
