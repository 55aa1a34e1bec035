/** The part of the Gemini API's wire form that the program and its stand-in exchange. */

export interface FunctionCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly id?: string;
}

export interface FunctionResponse {
  readonly name: string;
  readonly id?: string;
  readonly response?: { readonly output?: unknown; readonly error?: unknown };
}

export interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: FunctionCall;
  readonly functionResponse?: FunctionResponse;
}

export interface Content {
  readonly role?: string;
  readonly parts?: readonly Part[];
}

export interface GenerateRequest {
  readonly contents?: readonly Content[];
  readonly generationConfig?: { readonly responseJsonSchema?: unknown; readonly responseSchema?: unknown };
}

/** One piece of an answer; only the last one carries the finish reason and the token counts. */
export function answerPiece(
  parts: readonly Part[],
  model: string,
  end?: { readonly finish: string; readonly promptTokens: number },
): object {
  return {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts },
        ...(end === undefined ? {} : { finishReason: end.finish }),
      },
    ],
    ...(end === undefined ? {} : { usageMetadata: usageOf(end.promptTokens) }),
    modelVersion: model,
  };
}

/** As one server-sent event. Line separators are escaped: the event stream is cut at them. */
export function eventOf(piece: object): string {
  const json = JSON.stringify(piece).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return `data: ${json}\n\n`;
}

export function errorBody(code: number, status: string, message: string): object {
  return { error: { code, status, message } };
}

/** The least value a JSON schema allows, for the program's own side questions (routing, checks). */
export function leastOf(schema: unknown): unknown {
  const { type, properties = {}, enum: choices } = (schema ?? {}) as JsonSchema;
  if (choices?.[0] !== undefined) return choices[0];
  switch (String(type).toLowerCase()) {
    case 'object':
      return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, leastOf(value)]));
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return false;
    default:
      return 'scripted';
  }
}

interface JsonSchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly enum?: readonly unknown[];
}

function usageOf(promptTokenCount: number): object {
  const said = { candidatesTokenCount: 40, thoughtsTokenCount: 10 };
  return { promptTokenCount, ...said, totalTokenCount: promptTokenCount + 50 };
}
