import type { DraftRow } from '../../../agent/contract/row.ts';
import { cleanText } from '../../shared/text.ts';
import { toUtc } from '../../shared/time.ts';
import { promptName, userName } from '../claims.ts';
import { asId, asText } from '../records.ts';
import { sessionKeyOf } from '../session-name.ts';
import { joinContinued } from '../shell-input.ts';
import { matchKey } from '../state.ts';
import type { FilePlace } from './place.ts';

/** An entry of the prompt history. */
export interface RawPrompt {
  readonly sessionId?: unknown;
  readonly messageId?: unknown;
  readonly type?: unknown;
  readonly message?: unknown;
  readonly timestamp?: unknown;
}

/**
 * Row of one entry; false when it says nothing. A prompt is a copy of what the session holds. A slash command is
 * not: sessions never hold it.
 */
export function addPrompt(place: FilePlace, raw: RawPrompt, line: number): boolean {
  const message = asText(raw.message);
  if (message === undefined) return false;
  const text = cleanText(message);
  const type = asText(raw.type) ?? 'user';
  const row = { ...entryRow(place, raw, text), source_line: line };
  const command = slashCommand(text);
  if (type !== 'user') place.emit({ ...row, ...otherFacts(cleanText(type), text) });
  else if (command !== undefined) place.emit({ ...row, ...commandFacts(command, text) });
  else place.emit({ ...row, part: 'text', turn_type: 'user', text, ...copyNames(place, raw, message) });
  return true;
}

/** Counters begin anew in each process, so the time is part of the identity. */
function entryRow(place: FilePlace, raw: RawPrompt, text: string) {
  const sessionId = asText(raw.sessionId);
  const utc = toUtc(raw.timestamp);
  return {
    record: `prompt:${asId(raw.messageId) ?? '-'}`,
    content: `${utc ?? asText(raw.timestamp) ?? '-'} ${text}`,
    ...(sessionId !== undefined && { sessionKey: sessionKeyOf(sessionId) }),
    timestamp_utc: utc,
    timestamp_source: utc === null ? 'none' : 'record',
    session_id: sessionId === undefined ? null : cleanText(sessionId),
    project_path: place.project,
  } satisfies Partial<DraftRow>;
}

/** It stands for the line of the shell history, and for the text in a saved history, which have no time. */
function copyNames(
  { folder }: FilePlace,
  raw: RawPrompt,
  message: string,
): Pick<DraftRow, 'copyOf' | 'claims'> {
  const utc = toUtc(raw.timestamp);
  const key = matchKey(message);
  if (utc === null) return { copyOf: userName(folder, key) };
  const [command, ...more] = joinContinued(message.split('\n'));
  const typed = command && more.length === 0 ? matchKey(command.text) : key;
  return { copyOf: promptName(utc, key), claims: [userName(folder, typed)] };
}

/** Commands that begin a new session in the running program [M]; no session file says so. */
const CLEARS = new Set(['clear', 'new', 'reset']);

function commandFacts(command: string, text: string) {
  return {
    part: 'command.slash',
    turn_type: 'system',
    event: CLEARS.has(command) ? 'session.cleared' : 'command.slash',
    text: `slash command: ${text}`,
    attributes: { command },
  } satisfies Partial<DraftRow>;
}

function otherFacts(type: string, text: string) {
  return {
    part: 'prompt.other',
    turn_type: 'system',
    event: 'prompt.other',
    text: `prompt history entry of type ${type}: ${text}`,
    attributes: { type },
  } satisfies Partial<DraftRow>;
}

/**
 * Name of the command when the text is one: `/chat save x`. The program sends what begins with `/` and names no
 * command to the model, so the path of a file is a prompt; `//` and `/*` are comments.
 */
function slashCommand(text: string): string | undefined {
  return /^\/([^\s/*]{1,100})(?:\s|$)/.exec(text)?.[1];
}
