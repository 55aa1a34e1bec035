import type { EventName } from '../../../agent/contract/events.ts';
import type { DraftRow } from '../../../agent/contract/row.ts';
import { badElement } from '../../shared/bad-line.ts';
import { cleanText } from '../../shared/text.ts';
import { assistantName, callName, machineName, resultName, userName } from '../claims.ts';
import { type Content, joined, type ResponsePart, readContent } from '../content.ts';
import type { Element } from '../elements.ts';
import { isTextKey, readGeminiContent } from '../gemini.ts';
import { COMPRESSED, isCompressionAck, isFileBodyMark, isShellInput, machineEvent } from '../machine-text.ts';
import { decisionOf } from '../permission.ts';
import { asObject } from '../records.ts';
import { statusOf } from '../responses.ts';
import { resultOfPart } from '../result.ts';
import { shellCommands } from '../shell-input.ts';
import { matchKey } from '../state.ts';
import { readThoughts } from '../thoughts.ts';
import { callIdOf, prefixOf } from '../tools.ts';
import { emitBadRow, type FilePlace } from './place.ts';

/** One turn of a saved history, as the API takes it. */
interface RawTurn {
  readonly role?: unknown;
  readonly parts?: unknown;
}

interface Turn {
  readonly element: Element;
  /** Place in the list, from 1. */
  readonly item: number;
  readonly isModel: boolean;
  readonly parts: unknown;
  readonly content: Content;
}

/** One file being read. */
interface Pass {
  readonly place: FilePlace;
  /** How often each row came: the same words twice in one history are two turns, in two histories the same. */
  readonly times: Map<string, number>;
  /** Name of the last turn that has one: what has none is taken for a copy where that is one. */
  anchor: string;
}

/** Rows of the turns of a saved history, each a copy of what the session holds. */
export function addTurns(place: FilePlace, elements: readonly Element[]): void {
  const pass: Pass = { place, times: new Map(), anchor: '' };
  const turns = elements.flatMap((element, index) => readTurn(element, index + 1) ?? []);
  for (const [index, turn] of turns.entries()) {
    try {
      if (turn.isModel) addModelTurn(pass, turn, isSummary(turns[index - 1], turn));
      else addUserTurn(pass, turn, isSummary(turn, turns[index + 1]));
    } catch {
      const { bytes, line } = turn.element;
      emitBadRow(place, badElement(turn.item, { bytes, reason: 'unexpected shape', line }));
    }
  }
}

function readTurn(element: Element, item: number): Turn | undefined {
  const { record } = element;
  const raw = typeof record === 'string' ? undefined : asObject<RawTurn>(record.value);
  if (!raw) return undefined;
  const { parts } = raw;
  return { element, item, isModel: raw.role === 'model', parts, content: readContent(parts) };
}

/** A compression leaves its summary as a user turn, and a fixed answer of the model. */
function isSummary(turn: Turn | undefined, next: Turn | undefined): boolean {
  if (!turn || !next || turn.isModel || !next.isModel) return false;
  return isCompressionAck(joined(next.content.texts, ''));
}

/** One row for each text: the program joins user messages part by part. What it added itself is no prompt. */
function addUserTurn(pass: Pass, turn: Turn, isSummaryTurn: boolean): void {
  addResults(pass, turn);
  for (const text of withoutFileBodies(turn.content.texts)) {
    const event = machineEvent(text) ?? (isSummaryTurn ? COMPRESSED : undefined);
    if (event !== undefined) addMachineText(pass, turn, { text, event });
    else if (text.trim() !== '') addUserText(pass, turn, text);
  }
}

/** After the mark come the contents of mentioned files; a further prompt may have been joined behind their end. */
function withoutFileBodies(texts: readonly string[]): string[] {
  const kept: string[] = [];
  let isInside = false;
  for (const text of texts) {
    if (isFileBodyMark(text)) isInside = true;
    else if (!isInside) kept.push(text);
    else if (text.trim() === FILE_BODIES_END) isInside = false;
  }
  return kept;
}

const FILE_BODIES_END = '--- End of content ---';

function addMachineText(pass: Pass, turn: Turn, { text, event }: { text: string; event: EventName }): void {
  const copyOf = machineName(pass.place.folder, matchKey(text));
  addCopy(pass, turn, { part: event, turn_type: 'system', event, text, copyOf });
}

/** A shell command with what it printed is the better copy of the line in the shell history. */
function addUserText(pass: Pass, turn: Turn, text: string): void {
  const { folder } = pass.place;
  const [command] = shellCommands(text);
  pass.anchor = userName(folder, matchKey(text));
  addCopy(pass, turn, {
    part: 'user',
    turn_type: 'user',
    text,
    copyOf: pass.anchor,
    ...(isShellInput(text) && { attributes: { input: 'shell' } }),
    ...(command !== undefined && { claims: [userName(folder, matchKey(command))] }),
  });
}

/** Thoughts go with the answer or the call that they belong to; sessions do not claim them one by one. */
function addModelTurn(pass: Pass, turn: Turn, isAcknowledgement: boolean): void {
  if (isAcknowledgement) return;
  const { content, text, key } = readGeminiContent({ content: turn.parts });
  pass.anchor = modelName(pass, key, content) ?? pass.anchor;
  const copyOf = pass.anchor;
  for (const thought of readThoughts({}, content))
    addCopy(pass, turn, { part: 'thought', turn_type: 'thinking', text: thought.text, copyOf });
  if (text !== '') addCopy(pass, turn, { part: 'assistant', turn_type: 'assistant', text, copyOf });
  addCalls(pass, turn);
}

function modelName({ place }: Pass, key: string, { calls }: Content): string | undefined {
  const callId = calls[0]?.id;
  if (callId !== undefined && !isTextKey(key)) return callName(place.folder, callId);
  return key === '' ? undefined : assistantName(place.folder, key);
}

function addCalls(pass: Pass, turn: Turn): void {
  for (const [index, { id, name, args }] of turn.content.calls.entries()) {
    const label = name ?? 'unknown tool';
    addCopy(pass, turn, {
      part: `call:${callIdOf(id, name, index)}`,
      turn_type: 'tool_use',
      text: args === undefined ? label : `${label} ${JSON.stringify(args)}`,
      tool_name: name === undefined ? null : cleanText(name),
      tool_use_id: id === undefined ? null : cleanText(id),
      copyOf: id === undefined ? pass.anchor : callName(pass.place.folder, id),
    });
  }
}

function addResults(pass: Pass, turn: Turn): void {
  for (const [index, part] of turn.content.responses.entries()) addResult(pass, turn, { part, index });
}

function addResult(pass: Pass, turn: Turn, { part, index }: { part: ResponsePart; index: number }): void {
  const { id, name } = part;
  const callId = callIdOf(id, name, index);
  const result = resultOfPart(part);
  const status = statusOf(result.error);
  const shared = {
    tool_name: name === undefined ? null : cleanText(name),
    tool_use_id: id === undefined ? null : cleanText(id),
    copyOf: id === undefined ? pass.anchor : resultName(pass.place.folder, id),
  };
  const text = prefixOf(status) + result.text;
  addCopy(pass, turn, { ...shared, part: `result:${callId}`, turn_type: 'tool_result', text });
  const decision = decisionOf(status, result);
  if (!decision) return;
  addCopy(pass, turn, {
    ...shared,
    part: `permission:${callId}`,
    turn_type: 'system',
    event: 'permission.decision',
    text: decision.text,
    attributes: decision.attributes,
  });
}

type Copy = Omit<DraftRow, 'record' | 'content'>;

function addCopy({ place, times }: Pass, { element, item }: Turn, copy: Copy): void {
  const text = cleanText(copy.text);
  const part = cleanText(copy.part);
  const which = `${part} ${text}`;
  const count = (times.get(which) ?? 0) + 1;
  times.set(which, count);
  place.emit({
    ...copy,
    record: 'saved-history',
    part,
    content: `${place.projectKey} ${count} ${text}`,
    text,
    project_path: place.project,
    attributes: { ...copy.attributes, item },
    source_line: element.line,
  });
}
