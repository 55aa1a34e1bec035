import type { EventName } from '../../agent/contract/events.ts';
import type { Attributes, DraftRow, Emit, TurnType } from '../../agent/contract/row.ts';
import type { ParseContext } from '../../agent/contract/source.ts';
import { badDocument } from '../shared/bad-line.ts';
import { cleanText } from '../shared/text.ts';
import type { Time } from '../shared/time.ts';
import { chatTurnName } from './claims.ts';

/** One file being read: what its rows share, and where they go. */
export interface Scope {
  readonly context: ParseContext;
  readonly session: string;
  readonly project: string | undefined;
  /** Names of the directories that hold other files of its workspace. */
  readonly folders: readonly string[];
  readonly emit: Emit;
  /** Rows so far: a record that stands twice in one file is told once. */
  readonly told: Set<string>;
  /** How often each record without an id came. */
  readonly times: Map<string, number>;
}

type Given = Pick<Scope, 'context' | 'session' | 'project' | 'emit'> & Partial<Pick<Scope, 'folders'>>;

export function createScope({ context, session, project, emit, folders = [] }: Given): Scope {
  return {
    context,
    emit,
    folders,
    session: cleanText(session),
    project: project === undefined ? undefined : cleanText(project),
    told: new Set(),
    times: new Map(),
  };
}

/** What one row says; texts are cleaned here. */
export interface RowFacts {
  readonly record: string;
  readonly part: string;
  readonly turn: TurnType;
  readonly text: string;
  readonly time: Time;
  /** What identity hashes instead of the text. */
  readonly content?: string;
  /** What identity takes for the session, where several files know the record under different ones. */
  readonly sessionKey?: string;
  readonly event?: EventName;
  readonly model?: string | undefined;
  readonly tool?: string | undefined;
  readonly callId?: string | undefined;
  readonly attributes?: Attributes;
  readonly claims?: readonly string[];
  readonly copyOf?: string | undefined;
}

export function addRow(scope: Scope, facts: RowFacts): void {
  const text = shownText(facts.text);
  const content = facts.content === undefined ? text : cleanText(facts.content);
  const identity = JSON.stringify([facts.record, facts.part, content]);
  if (scope.told.has(identity)) return;
  scope.told.add(identity);
  scope.emit({
    record: cleanText(facts.record),
    part: cleanText(facts.part),
    sessionKey: facts.sessionKey ?? scope.session,
    content,
    turn_type: facts.turn,
    text,
    timestamp_utc: facts.time.utc,
    timestamp_source: facts.time.source,
    session_id: scope.session,
    project_path: scope.project ?? null,
    model: cleaned(facts.model),
    tool_name: cleaned(facts.tool),
    tool_use_id: cleaned(facts.callId),
    event: facts.event ?? null,
    attributes: cleanAttributes(facts.attributes ?? {}),
    source_line: 1,
    claims: facts.claims ?? [],
    ...(facts.copyOf !== undefined && { copyOf: facts.copyOf }),
  });
}

type EventFacts = Omit<RowFacts, 'part' | 'turn' | 'event'> & { readonly part?: string };

/** Output of programs may hold sequences that act on a terminal; they are shown, never passed on. */
function shownText(text: string): string {
  return cleanText(text).replaceAll('\u001b', '\u241b');
}

/** Names of a turn in the `.chat` files of its workspace. */
export function turnNames({ folders }: Scope, role: 'user' | 'assistant' | 'tool', text: string): string[] {
  return folders.map((folder) => chatTurnName(folder, role, text));
}

/** A system row: something about the session, not said by anyone. */
export function addEvent(scope: Scope, event: EventName, facts: EventFacts): void {
  addRow(scope, { part: event, turn: 'system', event, ...facts });
}

/**
 * Name of a record that has no id: by what it is, and how often that came before. Its place would be another one when
 * records before it are lost.
 */
export function recordName(scope: Scope, kind: string, key: string): string {
  const name = `${kind} ${key}`;
  const count = (scope.times.get(name) ?? 0) + 1;
  scope.times.set(name, count);
  return count === 1 ? name : `${name} #${count}`;
}

/** Row for a record whose shape cannot be followed, or a file that cannot. */
export function addBadRow(scope: Pick<Scope, 'session' | 'project' | 'emit'>, row: DraftRow): void {
  scope.emit({
    ...row,
    sessionKey: scope.session,
    session_id: scope.session,
    project_path: scope.project ?? null,
  });
}

/** Reads one record; one that is nested too deeply to be written again is a row that says so. */
export function guarded(scope: Scope, bytes: Buffer, read: () => void): void {
  try {
    read();
  } catch {
    addBadRow(scope, badDocument('unreadable record', { bytes, reason: 'unexpected shape', line: 1 }));
  }
}

function cleaned(text: string | undefined): string | null {
  return text === undefined ? null : cleanText(text);
}

function cleanAttributes(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, fact]) => [
      name,
      typeof fact === 'string' ? cleanText(fact) : fact,
    ]),
  );
}

/** An attribute, where there is a text for it. */
export function fact(name: string, value: string | number | undefined): Attributes {
  return value === undefined ? {} : { [name]: value };
}
