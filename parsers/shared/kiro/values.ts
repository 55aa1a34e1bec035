import { asList, asObject, asText } from '../fields.ts';

/** Longer lists of nothing but byte values are data, not facts. */
const MAX_BYTE_LIST = 64;

/** A value as compact JSON, with placeholders for bytes that were written as lists of numbers. */
export function compactJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner) => (isByteList(inner) ? `[${inner.length} bytes]` : inner)) ?? ''
  );
}

function isByteList(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > MAX_BYTE_LIST && value.every(isByte);
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256;
}

/** Stands for an image: its format and size, never its bytes. */
export function imageText(value: unknown): string {
  const { format, source } = asObject<{ format?: unknown; source?: unknown }>(value) ?? {};
  const data = asObject<{ data?: unknown }>(source)?.data;
  const bytes = Array.isArray(data) ? data.length : typeof data === 'string' ? base64Bytes(data) : undefined;
  const name = asText(format)?.slice(0, 40);
  return `[image${name === undefined ? '' : ` ${name}`}${bytes === undefined ? '' : `, ${bytes} bytes`}]`;
}

function base64Bytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor(((data.length - padding) * 3) / 4);
}

/** Text of what somebody said in the third engine: a string, or a list of blocks; what is no text leaves its kind. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((block) => (typeof block === 'string' ? block : blockText(block)))
    .filter((text) => text !== '')
    .join('\n');
}

function blockText(value: unknown): string {
  const { type, text } = asObject<{ type?: unknown; text?: unknown }>(value) ?? {};
  if (typeof text === 'string') return text;
  const kind = asText(type)?.slice(0, 40);
  return kind === undefined ? '' : `[${kind}]`;
}
