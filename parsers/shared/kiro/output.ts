import type { Attributes } from '../../../agent/contract/row.ts';
import { asList, asObject, asText, type JsonObject } from '../fields.ts';
import { compactJson, imageText } from './values.ts';

/** What a tool gave back: text for people, and what it says about success, whatever status is stored beside it. */
export interface Output {
  readonly text: string;
  readonly attributes: Attributes;
}

/** Reads the blocks of a tool result: text, JSON of the tool's own shape, images. */
export function readOutput(content: unknown): Output {
  const pieces = (typeof content === 'string' ? [content] : asList(content)).map(readPiece);
  return {
    text: pieces
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n'),
    attributes: Object.assign({}, ...pieces.map(({ attributes }) => attributes)),
  };
}

function readPiece(piece: unknown): Output {
  if (typeof piece === 'string') return { text: piece, attributes: {} };
  const block = asObject<{ kind?: unknown; data?: unknown }>(piece) ?? {};
  if (typeof block.data === 'string') return { text: block.data, attributes: {} };
  if (block.kind === 'image') return { text: imageText(block.data), attributes: {} };
  return readJson(block.kind === undefined ? piece : block.data);
}

function readJson(value: unknown): Output {
  const object = asObject(value);
  if (object && asText(object['exit_status']) !== undefined) return readCommand(object);
  if (object && Array.isArray(object['content'])) return readServerOutput(object);
  return { text: typeof value === 'string' ? value : compactJson(value), attributes: {} };
}

/** A command that failed is stored as a success of the tool that ran it. */
function readCommand(object: JsonObject): Output {
  const status = asText(object['exit_status']) ?? '';
  const code = /-?\d+$/.exec(status)?.[0];
  const isFailure = code !== '0';
  const streams = [asText(object['stdout']), asText(object['stderr'])];
  return {
    text: streams.filter((text) => text !== undefined).join('\n'),
    attributes: {
      exit_status: status,
      ...(code !== undefined && { exit_code: Number(code) }),
      ...(isFailure && { failed: true }),
    },
  };
}

/** What an MCP server returned: a list of its own blocks, and whether it calls that an error. */
function readServerOutput(object: JsonObject): Output {
  const texts = asList(object['content']).map((block) => {
    const { text, type } = asObject<{ text?: unknown; type?: unknown }>(block) ?? {};
    return typeof text === 'string' ? text : `[${asText(type) ?? 'block'}]`;
  });
  const isError = object['isError'] === true || object['is_error'] === true;
  return { text: texts.join('\n'), attributes: isError ? { is_error: true, failed: true } : {} };
}
