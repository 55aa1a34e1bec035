import { createHash } from 'node:crypto';
import type { DraftRow, Emit } from '../../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../../agent/contract/source.ts';
import { badDocument, badElement } from '../../shared/bad-line.ts';
import { withoutMark } from '../../shared/byte-mark.ts';
import { structureRefusal } from '../../shared/structure.ts';
import { cleanText, excerpt } from '../../shared/text.ts';
import { cutRow, decodeOne, type ElementList, readAround, readElements, restRow } from '../elements.ts';
import { asObject, asText } from '../records.ts';
import { emitBadRow, type FilePlace, fileName, placeOf } from './place.ts';
import { readCheckpointName, readExportName, type SavedName } from './saved-name.ts';
import { addTurns } from './saved-turns.ts';

/** What a saved history is, and which row says that it was saved. */
export interface SavedKind {
  readonly name: (context: ParseContext) => SavedName;
  readonly event: 'session.checkpoint' | 'session.exported';
  readonly text: (facts: {
    readonly tag: string;
    readonly authType: string;
    readonly file: string;
  }) => string;
}

/** `checkpoint-<tag>.json`, written by `/chat save <tag>`. */
export const CHECKPOINT: SavedKind = {
  name: readCheckpointName,
  event: 'session.checkpoint',
  text: ({ tag, authType, file }) =>
    `chat checkpoint: tag ${tag} authType=${authType} (from ${file}, file mtime)`,
};

/** `bug-report-history-<epoch ms>.json`, written by `/bug`. */
export const BUG_EXPORT: SavedKind = {
  name: readExportName,
  event: 'session.exported',
  text: ({ file }) => `bug report history: exported (from ${file}, time in the file name)`,
};

/**
 * Parser of a conversation that was saved beside the sessions: the list of its turns, alone or as `history` of an
 * object. The turns have no time and no session; each is a copy of what the session holds.
 */
export function parseSaved(
  kind: SavedKind,
): (document: Document, context: ParseContext, emit: Emit) => DocumentResult {
  return (document, context, emit) => {
    const { settled } = document;
    const bytes = withoutMark(document.bytes);
    const saved = structureRefusal(bytes) === undefined ? readSaved(bytes) : undefined;
    if (!settled && !saved?.isWhole) return 'torn';
    const place = placeOf(context, emit);
    if (saved) addSaved(place, kind, { ...saved, bytes });
    else emitBadRow(place, notHistory(bytes));
    return 'parsed';
  };
}

/** A file as it is there: its turns, and what was recorded beside them. */
interface Saved extends ElementList {
  readonly authType: string | undefined;
  readonly rest: DraftRow | undefined;
}

function readSaved(bytes: Buffer): Saved | undefined {
  const bare = readElements(bytes, []);
  if (bare) return savedOf(bare, { authType: undefined, rest: endOf(bytes, bare) });
  const inside = readElements(bytes, ['history']);
  if (!inside) return undefined;
  const around = readAround(bytes, inside.scan);
  const facts = asObject<{ authType?: unknown }>(around.value?.value);
  const isDamaged = inside.scan.complete && !around.isWhole;
  return savedOf(inside, {
    authType: asText(facts?.authType),
    rest: isDamaged ? damagedRow(bytes, inside) : undefined,
  });
}

function savedOf(list: ElementList, more: Pick<Saved, 'authType' | 'rest'>): Saved {
  return { ...list, ...more, isWhole: list.isWhole && more.rest === undefined };
}

function endOf(bytes: Buffer, list: ElementList): DraftRow | undefined {
  return list.scan.complete ? restRow(bytes, list, DAMAGED) : undefined;
}

const DAMAGED = 'chat history damaged';

function damagedRow(bytes: Buffer, { scan }: ElementList): DraftRow {
  return badDocument(DAMAGED, { bytes: bytes.subarray(scan.end), reason: 'cut off', line: 1 });
}

function addSaved(place: FilePlace, kind: SavedKind, saved: Saved & { readonly bytes: Buffer }): void {
  const { elements, scan, bytes, rest } = saved;
  place.emit(headRow(place, kind, saved));
  for (const [index, { record, line, bytes: raw }] of elements.entries()) {
    if (typeof record === 'string')
      emitBadRow(place, badElement(index + 1, { bytes: raw, reason: record, line }));
  }
  addTurns(place, elements);
  if (!scan.complete) emitBadRow(place, cutRow(bytes, saved));
  if (rest) emitBadRow(place, rest);
}

/** Says that a history was saved. What was saved tells one occasion from another, so a restored copy is the same. */
function headRow({ context, project, projectKey }: FilePlace, kind: SavedKind, saved: Saved): DraftRow {
  const { tag, time } = kind.name(context);
  const authType = cleanText(saved.authType ?? '-');
  return {
    record: `${kind.event}:${tag}`,
    part: kind.event,
    content: `${projectKey} ${authType} ${time.source === 'file' ? fingerprint(saved) : ''}`,
    turn_type: 'system',
    text: kind.text({ tag, authType, file: fileName(context) }),
    event: kind.event,
    timestamp_utc: time.utc,
    timestamp_source: time.source,
    project_path: project,
    attributes: { tag, auth_type: authType, turns: saved.elements.length },
    source_line: 1,
  };
}

/** Of the values, not of the bytes: line ends and a byte order mark make no other history. */
function fingerprint({ elements }: ElementList): string {
  const hash = createHash('sha256');
  for (const { record, bytes } of elements)
    hash.update(typeof record === 'string' ? bytes : valueText(record.value));
  return hash.digest('hex');
}

/** What is nested too deeply for this stands for itself by nothing. */
function valueText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
}

function notHistory(bytes: Buffer): DraftRow {
  const what = decodeOne(bytes) ? 'neither a list nor an object with a history' : 'not valid JSON';
  const row = badDocument('not a chat history', { bytes, reason: what, line: 1 });
  return { ...row, text: `parser: not a chat history: ${what}: ${excerpt(bytes, 200)}` };
}
