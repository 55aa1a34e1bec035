import { asObject, asText, type RawPart } from './records.ts';

interface RawBlob {
  readonly mimeType?: unknown;
  readonly data?: unknown;
  readonly fileUri?: unknown;
}

/**
 * Stands for a part that is no text: type and decoded size of inline data, never the data itself; type and
 * place of a referenced file; the kind of anything else. Undefined for a part that holds nothing.
 */
export function attachmentText(part: RawPart): string | undefined {
  const blob = asObject<RawBlob>(part.inlineData);
  if (blob) return `[${typeOf(blob)}, ${decodedBytes(blob.data)} bytes]`;
  const file = asObject<RawBlob>(part.fileData);
  if (file) return `[${typeOf(file)}, ${asText(file.fileUri) ?? 'file'}]`;
  const kind = Object.keys(part).find((key) => key !== 'thoughtSignature' && key !== 'thought');
  return kind === undefined ? undefined : `[${kind.slice(0, 40)}]`;
}

function typeOf(blob: RawBlob): string {
  return asText(blob.mimeType) ?? 'unknown type';
}

/** Bytes that base64 text stands for. */
function decodedBytes(data: unknown): number {
  if (typeof data !== 'string') return 0;
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor(((data.length - padding) * 3) / 4);
}
