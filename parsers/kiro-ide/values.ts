import { asList, asObject, asText } from '../shared/fields.ts';

/** Longer lists of nothing but byte values are data, not facts. */
const MAX_BYTE_LIST = 64;

/** A value as compact JSON, with placeholders for what is no text. */
export function compactJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner) => placeholder(inner) ?? inner) ?? '';
}

function placeholder(value: unknown): string | undefined {
  if (typeof value === 'string') return value.startsWith('data:') ? dataText(value) : undefined;
  if (!Array.isArray(value) || value.length <= MAX_BYTE_LIST || !value.every(isByte)) return undefined;
  return `[${value.length} bytes]`;
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256;
}

/** Stands for the content of a data URL: its type and decoded size, never the data. */
export function dataText(url: string): string {
  const [head = '', data = ''] = url.split(',', 2);
  const [kind = '', format = ''] = (head.slice('data:'.length).split(';', 1)[0] ?? '').split('/', 2);
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  const bytes = head.endsWith(';base64') ? Math.floor(((data.length - padding) * 3) / 4) : data.length;
  return `[${[kind || 'data', format].filter((word) => word !== '').join(' ')}, ${bytes} bytes]`;
}

/**
 * Text of what somebody said: a string, or a list of blocks of which those that are no text leave a placeholder.
 */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((block) => (typeof block === 'string' ? block : blockText(asObject<RawBlock>(block) ?? {})))
    .filter((text) => text !== '')
    .join('\n');
}

/** Only the words of it: other files leave out what is no text. */
export function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((block) => (typeof block === 'string' ? block : asObject<RawBlock>(block)?.text))
    .filter((text) => typeof text === 'string' && text !== '')
    .join('\n');
}

interface RawBlock {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly imageUrl?: unknown;
  readonly name?: unknown;
}

function blockText({ type, text, imageUrl, name }: RawBlock): string {
  if (typeof text === 'string') return text;
  const url = asText(imageUrl) ?? asText(asObject<{ url?: unknown }>(imageUrl)?.url);
  if (url !== undefined) return url.startsWith('data:') ? dataText(url) : '[image]';
  const kind = asText(type)?.slice(0, 40);
  if (kind === undefined) return '';
  return `[${[kind, asText(name)?.slice(0, 200)].filter((word) => word !== undefined).join(' ')}]`;
}
