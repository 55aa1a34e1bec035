import { type Content, joined, type ResponsePart, readContent } from './content.ts';
import { asObject } from './records.ts';

/** What a call returned. */
export interface Result {
  readonly text: string;
  /** The message under `error`, when the tool reported one. */
  readonly error: string | undefined;
}

/**
 * The result of one call out of `toolCalls[].result`. The list can hold the results of other calls of the
 * same turn too, since the program stores the whole turn when it rewrites history; only those with this id
 * count then. Undefined when there is no result yet.
 */
export function readResult(value: unknown, callId: string): Result | undefined {
  if (value === undefined || value === null) return undefined;
  const content = readContent(value);
  const responses = ownResponses(content.responses, callId);
  return { text: resultText(content, responses), error: errorOf(responses) };
}

function ownResponses(responses: readonly ResponsePart[], callId: string): readonly ResponsePart[] {
  if (responses.length <= 1) return responses;
  const own = responses.filter(({ id }) => id === undefined || id === callId);
  return own.length > 0 ? own : responses;
}

/** The result that one functionResponse part carries. */
export function resultOfPart(part: ResponsePart): Result {
  return { text: responseText(part), error: errorOf([part]) };
}

function resultText(content: Content, responses: readonly ResponsePart[]): string {
  const texts = responses.map(responseText);
  return joined(content.texts.length === 0 ? texts : [...content.texts, ...texts], '\n');
}

function responseText({ response, attachments }: ResponsePart): string {
  const text = bodyText(response);
  return attachments.length === 0 ? text : [text, ...attachments].filter((piece) => piece !== '').join('\n');
}

/** The text under `output` or `error`; anything else as compact JSON. */
function bodyText(response: unknown): string {
  if (typeof response === 'string') return response;
  const body = asObject<{ output?: unknown; error?: unknown }>(response);
  if (typeof body?.output === 'string') return body.output;
  if (typeof body?.error === 'string') return body.error;
  return response === undefined ? '' : JSON.stringify(response);
}

function errorOf(responses: readonly ResponsePart[]): string | undefined {
  for (const { response } of responses) {
    const error = asObject<{ error?: unknown }>(response)?.error;
    if (typeof error === 'string') return error;
  }
  return undefined;
}
