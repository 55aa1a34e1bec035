import type { Attributes } from '../../agent/contract/row.ts';
import { asNumber, asObject, asText } from '../shared/fields.ts';
import { cleanText } from '../shared/text.ts';
import { contentOf, type FunctionCall } from './content.ts';
import { addModel } from './model.ts';
import { timeOf } from './place.ts';
import type { RawRecord } from './records.ts';
import { addRow } from './rows.ts';
import type { Scope } from './state.ts';

/** A record of type assistant: what the model thought, said and asks for, in this order. */
export function readAssistant(scope: Scope, raw: RawRecord): void {
  const time = timeOf(raw.timestamp);
  const { thoughts, texts, calls } = contentOf(raw);
  const named = asText(raw.model);
  const model = named === undefined ? undefined : addModel(scope, named, time);
  const tokens = createTokens(raw.usageMetadata);
  for (const [index, text] of thoughts.entries())
    addRow(scope, {
      part: `thought:${index}`,
      turn: 'thinking',
      text,
      time,
      model,
      attributes: tokens.take(),
    });
  const text = texts.join('');
  if (text !== '')
    addRow(scope, { part: 'text', turn: 'assistant', text, time, model, attributes: tokens.take() });
  for (const [index, call] of calls.entries()) {
    const id = callIdOf(call, index);
    addRow(scope, {
      part: `call:${id}`,
      turn: 'tool_use',
      text: useText(call),
      time,
      model,
      tool: cleanName(call),
      callId: id,
      attributes: tokens.take(),
    });
  }
}

/** An id from the record, or one made of name and place where another writer left it out. */
export function callIdOf({ id, name }: Pick<FunctionCall, 'id' | 'name'>, index: number): string {
  return cleanText(id ?? `${name ?? 'call'}_${index}`);
}

export function cleanName({ name }: Pick<FunctionCall, 'name'>): string | undefined {
  return name === undefined ? undefined : cleanText(name);
}

function useText({ name, args }: FunctionCall): string {
  const label = name ?? 'unknown tool';
  return args === undefined ? label : `${label} ${JSON.stringify(args)}`;
}

const COUNTS: Readonly<Record<string, string>> = {
  promptTokenCount: 'tokens_input',
  candidatesTokenCount: 'tokens_output',
  cachedContentTokenCount: 'tokens_cached',
  thoughtsTokenCount: 'tokens_thoughts',
  toolUsePromptTokenCount: 'tokens_tool',
  totalTokenCount: 'tokens_total',
};

/** The token counts of a record stand on its first row. */
function createTokens(usage: unknown): { take(): Attributes } {
  let left = readTokens(usage);
  return {
    take() {
      const counts = left;
      left = {};
      return counts;
    },
  };
}

function readTokens(usage: unknown): Attributes {
  const raw = asObject(usage) ?? {};
  const counts: Record<string, number> = {};
  for (const [key, name] of Object.entries(COUNTS)) {
    const count = asNumber(raw[key]);
    if (count !== undefined) counts[name] = count;
  }
  return counts;
}
