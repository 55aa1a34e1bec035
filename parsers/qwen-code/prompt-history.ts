import type { DraftRow, Emit } from '../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../agent/contract/source.ts';
import { badDocument, badElement, cutArray } from '../shared/bad-line.ts';
import { withoutMark } from '../shared/byte-mark.ts';
import { asNumber, asObject, asText } from '../shared/fields.ts';
import { type ArrayScan, scanJsonArray } from '../shared/json-array.ts';
import { skipSpace } from '../shared/json-scan.ts';
import { decodeLine } from '../shared/jsonl.ts';
import { structureRefusal } from '../shared/structure.ts';
import { cleanText } from '../shared/text.ts';
import { promptName, typedName } from './claims.ts';
import { type HistoryPlace, placeOf } from './history-place.ts';
import { timeOf } from './place.ts';

interface RawEntry {
  readonly sessionId?: unknown;
  readonly messageId?: unknown;
  readonly message?: unknown;
  readonly timestamp?: unknown;
}

/**
 * Commands that session files never hold: the program leaves them out. `/clear` begins another session, `/delete`
 * deletes one.
 */
const NOT_RECORDED = new Set([
  'quit',
  'exit',
  'clear',
  'reset',
  'new',
  'resume',
  'delete',
  'branch',
  'btw',
  'history',
]);

/**
 * Parser of `logs.json`, what was typed in the terminal: prompts, slash commands, and commands of shell mode, which
 * stand in no session. What a session holds too is a copy. Also of the copies that were set aside as unreadable.
 */
export function parsePromptHistory(document: Document, context: ParseContext, emit: Emit): DocumentResult {
  const { settled } = document;
  const bytes = withoutMark(document.bytes);
  const refusal = structureRefusal(bytes);
  const scan = refusal === undefined ? scanJsonArray(bytes, []) : undefined;
  const isWhole = scan?.complete === true && skipSpace(bytes, scan.end, bytes.length) === bytes.length;
  if (!settled && !isWhole) return 'torn';
  const place = placeOf(context, emit);
  if (!scan) {
    const reason = refusal ?? 'not a list';
    emitBad(place, badDocument('not a prompt history', { bytes, reason, line: 1 }));
    return 'parsed';
  }
  for (const [index, element] of scan.elements.entries())
    addElement(place, bytes.subarray(element.start, element.end), {
      line: element.line,
      position: index + 1,
    });
  if (!isWhole) emitBad(place, restRow(bytes, scan));
  return 'parsed';
}

/** What is left where the list is cut off, or what stands after it. */
function restRow(bytes: Buffer, scan: ArrayScan): DraftRow {
  const rest = { bytes: bytes.subarray(scan.end), reason: 'cut off', line: scan.elements.at(-1)?.line ?? 1 };
  if (scan.complete)
    return badDocument('prompt history damaged', { ...rest, reason: 'more after the end of the list' });
  return cutArray(scan.elements.length, rest);
}

function addElement(place: HistoryPlace, bytes: Buffer, at: { line: number; position: number }): void {
  const { records, bad } = decodeLine(bytes, at.line);
  const raw = bad ? undefined : asObject<RawEntry>(records[0]?.value);
  const message = asText(raw?.message);
  if (raw && message !== undefined) place.emit(entryRow(place, raw, { message, line: at.line }));
  else emitBad(place, badElement(at.position, { bytes, reason: bad?.reason ?? 'no message', line: at.line }));
}

function entryRow(
  { folder, project }: HistoryPlace,
  raw: RawEntry,
  { message, line }: { message: string; line: number },
): DraftRow {
  const session = asText(raw.sessionId);
  const time = timeOf(raw.timestamp);
  const text = cleanText(message);
  const command = commandIn(text);
  const base = {
    record: `prompt:${asNumber(raw.messageId) ?? '-'}`,
    content: `${time.utc ?? '-'} ${text}`,
    sessionKey: session === undefined ? folder : cleanText(session),
    timestamp_utc: time.utc,
    timestamp_source: time.source,
    session_id: session === undefined ? null : cleanText(session),
    project_path: project,
    source_line: line,
  } satisfies Partial<DraftRow>;
  const copy = {
    copyOf: promptName(cleanText(session ?? ''), message),
    claims: [typedName(folder, message)],
  };
  if (command === undefined) return { ...base, part: 'text', turn_type: 'user', text, ...copy };
  return {
    ...base,
    part: 'command.slash',
    turn_type: 'system',
    event: CLEARS.has(command) ? 'session.cleared' : 'command.slash',
    text: `slash command: ${text}`,
    attributes: { command },
    ...(!NOT_RECORDED.has(command) && copy),
  };
}

/** Commands that begin a new session in the running program; no session file says so [M]. */
const CLEARS = new Set(['clear', 'new', 'reset']);

/** Name of the command when the text is one: the path of a file is a prompt, and so is a comment. */
function commandIn(text: string): string | undefined {
  return /^\/([^\s/*]{1,100})(?:\s|$)/.exec(text)?.[1];
}

function emitBad({ emit, project }: HistoryPlace, row: DraftRow): void {
  emit({ ...row, project_path: project });
}
