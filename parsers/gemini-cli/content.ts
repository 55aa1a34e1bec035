import { attachmentText } from './attachment.ts';
import { asList, asObject, asText, type RawPart } from './records.ts';

/** A call that the model asks for, as it stands in a message's content. */
export interface FunctionCall {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly args: unknown;
}

/** The content of a message, taken apart. */
export interface Content {
  /** Text parts and placeholders for attachments, in order. */
  readonly texts: readonly string[];
  readonly thoughts: readonly string[];
  readonly calls: readonly FunctionCall[];
  /** Results of calls: each functionResponse with what belongs to it. */
  readonly responses: readonly ResponsePart[];
}

export interface ResponsePart {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly response: unknown;
  /** Placeholders of the attachments that follow it. */
  readonly attachments: readonly string[];
}

const NOTHING: readonly never[] = [];
const EMPTY = contentOf(NOTHING);

/** Reads content in any of its forms: a string, a part, or a list of strings and parts. */
export function readContent(value: unknown): Content {
  if (typeof value === 'string') return value === '' ? EMPTY : contentOf([value]);
  if (Array.isArray(value)) return readParts(value);
  return value === undefined || value === null ? EMPTY : readParts([value]);
}

function contentOf(texts: readonly string[]): Content {
  return { texts, thoughts: NOTHING, calls: NOTHING, responses: NOTHING };
}

export function joinedText(value: unknown): string {
  return joined(readContent(value).texts, '');
}

/** Joins texts; one alone, the rule, is not copied. */
export function joined(texts: readonly string[], separator: string): string {
  const [first = ''] = texts;
  return texts.length <= 1 ? first : texts.join(separator);
}

interface Collected {
  readonly texts: string[];
  readonly thoughts: string[];
  readonly calls: FunctionCall[];
  readonly responses: (ResponsePart & { readonly attachments: string[] })[];
}

function readParts(parts: readonly unknown[]): Content {
  const found: Collected = { texts: [], thoughts: [], calls: [], responses: [] };
  for (const part of parts) {
    if (typeof part === 'string') found.texts.push(part);
    else readPart(found, asObject<RawPart>(part) ?? {});
  }
  return found;
}

function readPart(found: Collected, part: RawPart): void {
  if (typeof part.text === 'string') {
    if (part.thought === true) found.thoughts.push(part.text);
    else found.texts.push(part.text);
    return;
  }
  const call = asObject<{ id?: unknown; name?: unknown; args?: unknown }>(part.functionCall);
  if (call) {
    found.calls.push({ id: asText(call.id), name: asText(call.name), args: call.args });
    return;
  }
  const response = asObject<RawResponse>(part.functionResponse);
  if (response) found.responses.push(readResponse(response));
  else addAttachment(found, attachmentText(part));
}

/** An attachment after a result belongs to it: images that a tool read, for example. */
function addAttachment(found: Collected, text: string | undefined): void {
  if (text === undefined) return;
  (found.responses.at(-1)?.attachments ?? found.texts).push(text);
}

interface RawResponse {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly response?: unknown;
  readonly parts?: unknown;
}

function readResponse(raw: RawResponse): ResponsePart & { readonly attachments: string[] } {
  const attachments: string[] = [];
  for (const part of asList(raw.parts)) {
    const text = attachmentText(asObject<RawPart>(part) ?? {});
    if (text !== undefined) attachments.push(text);
  }
  return { id: asText(raw.id), name: asText(raw.name), response: raw.response, attachments };
}
