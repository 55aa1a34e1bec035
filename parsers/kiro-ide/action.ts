import type { Attributes } from '../../agent/contract/row.ts';
import { asNumber, asObject, asText, type JsonObject } from '../shared/fields.ts';
import { fact } from '../shared/kiro/rows.ts';
import type { Time } from '../shared/time.ts';
import { answerName, textKey } from './claims.ts';
import { decisionOf, isFailure } from './permission.ts';
import type { Action, Execution } from './records.ts';
import { addEvent, addRow, recordName, turnNames } from './rows.ts';
import { timeOf } from './times.ts';
import { compactJson } from './values.ts';

/** Actions that nobody sees: calls of a model, and what it made of the prompt. */
const SILENT = new Set(['model', 'intentClassification']);

export function readAction(value: unknown): Action | undefined {
  const raw = asObject(value);
  if (!raw) return undefined;
  return {
    type: asText(raw['actionType']) ?? 'unknown action',
    id: asText(raw['actionId']),
    state: asText(raw['actionState']),
    emittedAt: raw['emittedAt'],
    input: raw['input'],
    output: raw['output'],
  };
}

export function isTold({ type }: Action): boolean {
  return !SILENT.has(type);
}

/** What was answered; empty for any other action. */
export function saidIn(action: Action): string {
  return action.type === 'say' ? messageIn(action.output) : '';
}

function messageIn(output: unknown): string {
  return asText(output) ?? asText(asObject(output)?.['message']) ?? '';
}

export function tellAction(execution: Execution, action: Action): void {
  if (!isTold(action)) return;
  const emitted = timeOf(action.emittedAt);
  const time = emitted.utc === null ? execution.time : emitted;
  const record = recordOf(execution, action);
  if (action.type === 'say') tellText(execution, { record, time, turn: 'assistant', text: saidIn(action) });
  else if (action.type === 'reasoning')
    tellText(execution, { record, time, turn: 'thinking', text: messageIn(action.output) });
  else tellTool(execution, action, { record, time });
}

function recordOf({ scope }: Execution, { id, type, input, output }: Action): string {
  if (id !== undefined) return `action ${id}`;
  return recordName(scope, `action ${type}`, textKey(compactJson([input, output])));
}

interface Said {
  readonly record: string;
  readonly time: Time;
  readonly turn: 'assistant' | 'thinking';
  readonly text: string;
}

function tellText({ scope, model, id }: Execution, { record, time, turn, text }: Said): void {
  if (text.trim() === '') return;
  addRow(scope, {
    record,
    part: 'text',
    turn,
    text,
    time,
    model,
    attributes: { execution_id: id },
    ...(turn === 'assistant' && {
      claims: [answerName(scope.session, text), ...turnNames(scope, turn, text)],
    }),
  });
}

interface Tool {
  readonly record: string;
  readonly time: Time;
}

function tellTool(execution: Execution, action: Action, { record, time }: Tool): void {
  const { scope, model, id } = execution;
  const { name, args, server } = toolOf(action);
  const callId = action.id ?? record;
  const shared = { record, time, model, tool: name, callId };
  const facts = {
    execution_id: id,
    ...fact('state', action.state),
    ...fact('mcp_server', server),
    ...fact('cwd', asText(asObject(action.input)?.['cwd'])),
  };
  const text = args === undefined ? name : `${name} ${compactJson(args)}`;
  addRow(scope, { ...shared, part: `call:${callId}`, turn: 'tool_use', text, attributes: facts });
  const result = resultOf(action);
  if (result !== undefined)
    addRow(scope, {
      ...shared,
      part: `result:${callId}`,
      turn: 'tool_result',
      ...result,
      claims: turnNames(scope, 'tool', result.text),
    });
  const decision = decisionOf(action.state, name);
  if (decision)
    addEvent(scope, 'permission.decision', { ...shared, part: `permission:${callId}`, ...decision });
}

/** The action is the tool, but for tools of a server. */
function toolOf({ type, input }: Action): { name: string; args: unknown; server: string | undefined } {
  const given = asObject(input) ?? {};
  const name = asText(given['toolName']);
  if (name === undefined) return { name: type, args: input, server: undefined };
  return {
    name,
    args: given['toolArgs'] ?? input,
    server: asText(given['serverName']) ?? asText(given['mcpServer']),
  };
}

/** Undefined while there is no result: what an action gives back is filled in when it has ended. */
function resultOf({ output, state }: Action): { text: string; attributes: Attributes } | undefined {
  const text = outputText(output);
  const failed = state !== undefined && isFailure(state);
  if (text === '' && !failed) return undefined;
  const given = asObject(output) ?? {};
  return {
    text: `${failed ? '[error] ' : ''}${text}`.trim(),
    attributes: { ...fact('state', state), ...fact('exit_code', asNumber(given['exitCode'])) },
  };
}

const TEXTS = ['output', 'response', 'message', 'error', 'content', 'text'];

/** The text that a tool gave back, else everything that it did. */
function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  const given: JsonObject = asObject(output) ?? {};
  for (const name of TEXTS) {
    const text = given[name];
    if (typeof text === 'string' && (text !== '' || isOnlyText(given))) return text;
  }
  return Object.keys(given).length === 0 && !Array.isArray(output) ? '' : compactJson(output);
}

/** A command that printed nothing still ended. */
function isOnlyText(given: JsonObject): boolean {
  return asNumber(given['exitCode']) === undefined;
}
