import { asList, asObject, asText } from '../shared/fields.ts';
import type { RawCall, RawPart, RawRecord, RawResponse } from './records.ts';

/** A call that the model asks for. */
export interface FunctionCall {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly args: unknown;
}

/** What a call gave back, with placeholders of the attachments after it. */
export interface FunctionResponse {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly response: unknown;
  readonly attachments: string[];
}

/** The parts of a record's message, sorted by what they are. */
export interface Content {
  /** Text parts and placeholders for attachments, in order. */
  readonly texts: string[];
  readonly thoughts: string[];
  readonly calls: FunctionCall[];
  readonly responses: FunctionResponse[];
}

export function contentOf(raw: RawRecord): Content {
  return readParts(asObject<{ parts?: unknown }>(raw.message)?.parts);
}

/** Reads the parts of a message; a bare string is one part. */
export function readParts(parts: unknown): Content {
  const found: Content = { texts: [], thoughts: [], calls: [], responses: [] };
  for (const part of typeof parts === 'string' ? [parts] : asList(parts)) {
    if (typeof part === 'string') found.texts.push(part);
    else readPart(found, asObject<RawPart>(part) ?? {});
  }
  return found;
}

function readPart(found: Content, part: RawPart): void {
  if (typeof part.text === 'string') {
    (part.thought === true ? found.thoughts : found.texts).push(part.text);
    return;
  }
  const call = asObject<RawCall>(part.functionCall);
  const response = asObject<RawResponse>(part.functionResponse);
  if (call) found.calls.push({ id: asText(call.id), name: asText(call.name), args: call.args });
  else if (response) found.responses.push(readResponse(response));
  else addAttachment(found, part);
}

function readResponse({ id, name, response }: RawResponse): FunctionResponse {
  return { id: asText(id), name: asText(name), response, attachments: [] };
}

/** An attachment after a result belongs to it: an image that a tool read, for example. */
function addAttachment({ texts, responses }: Content, part: RawPart): void {
  const text = attachmentText(part);
  if (text !== undefined) (responses.at(-1)?.attachments ?? texts).push(text);
}

interface RawBlob {
  readonly mimeType?: unknown;
  readonly data?: unknown;
  readonly fileUri?: unknown;
}

/**
 * Stands for a part that is no text: type and decoded size of inline data, never the data itself; type and place of
 * a referenced file; the kind of anything else. Undefined for a part that holds nothing.
 */
function attachmentText(part: RawPart): string | undefined {
  const blob = asObject<RawBlob>(part.inlineData);
  if (blob) return `[${typeOf(blob)}, ${decodedBytes(blob.data)} bytes]`;
  const file = asObject<RawBlob>(part.fileData);
  if (file) return `[${typeOf(file)}, ${asText(file.fileUri) ?? 'file'}]`;
  const kind = Object.keys(part).find((key) => key !== 'thoughtSignature' && key !== 'thought');
  return kind === undefined ? undefined : `[${kind.slice(0, 40)}]`;
}

function typeOf({ mimeType }: RawBlob): string {
  return asText(mimeType) ?? 'unknown type';
}

/** Bytes that base64 text stands for. */
function decodedBytes(data: unknown): number {
  if (typeof data !== 'string') return 0;
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor(((data.length - padding) * 3) / 4);
}
