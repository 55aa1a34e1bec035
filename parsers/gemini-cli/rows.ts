import type { EventName } from '../../agent/contract/events.ts';
import type { Attributes, DraftRow, TurnType } from '../../agent/contract/row.ts';
import { cleanText } from '../shared/text.ts';
import { NO_TIME, type Time, toUtc } from '../shared/time.ts';
import type { Scope, Session } from './state.ts';

/** What one row says. All but the text is clean already; the session, the project and the line are added here. */
export interface RowFacts {
  readonly record: string;
  readonly part: string;
  readonly turn: TurnType;
  readonly text: string;
  readonly time: Time;
  /** What identity hashes instead of the text. */
  readonly content?: string | undefined;
  readonly event?: EventName | undefined;
  readonly model?: string | undefined;
  readonly tool?: string | undefined;
  readonly callId?: string | undefined;
  readonly attributes?: Attributes | undefined;
  /** Names that copies of it have in other files. */
  readonly claims?: readonly string[] | undefined;
}

export function addRow(scope: Scope, facts: RowFacts): void {
  const { session, line } = scope;
  if (session.rows++ >= session.lookUpAt) lookUp(session);
  const text = cleanText(facts.text);
  scope.rows.push({
    record: facts.record,
    part: facts.part,
    sessionKey: session.key,
    content: facts.content ?? text,
    turn_type: facts.turn,
    text,
    timestamp_utc: facts.time.utc,
    timestamp_source: facts.time.source,
    session_id: sessionIdOf(session),
    project_path: projectPathOf(session),
    model: facts.model ?? null,
    tool_name: facts.tool ?? null,
    tool_use_id: facts.callId ?? null,
    event: facts.event ?? null,
    attributes: mergeAttributes(scope.shared, facts.attributes),
    source_line: line,
    claims: facts.claims ?? NO_CLAIMS,
  });
}

const NO_CLAIMS: readonly string[] = [];

type EventFacts = Pick<RowFacts, 'record' | 'content' | 'text' | 'time' | 'attributes' | 'claims'>;

/** A system row: something about the session, not said by anyone. */
export function addEvent(scope: Scope, event: EventName, facts: EventFacts): void {
  const { record, content, text, time, attributes, claims } = facts;
  addRow(scope, { record, part: event, turn: 'system', text, time, content, event, attributes, claims });
}

function sessionIdOf(session: Session): string {
  return session.id ?? session.name.id;
}

/** The time a record carries; also remembered for records that carry none. */
export function recordTime(session: Session, value: unknown): Time {
  const utc = toUtc(value);
  if (utc === null) return NO_TIME;
  session.timeBefore = session.lastTime;
  session.lastTime = utc;
  return { utc, source: 'record' };
}

/** A time of its own for a part of a record, or the record's. */
export function partTime(value: unknown, record: Time): Time {
  const utc = toUtc(value);
  if (utc !== null) return { utc, source: 'record' };
  return record.utc === null ? record : { utc: record.utc, source: 'derived' };
}

/** For records without a time: their own `lastUpdated`, else that of the record before, else the file's. */
export function eventTime(session: Session, lastUpdated: unknown): Time {
  const own = toUtc(lastUpdated);
  if (own !== null) return { utc: own, source: 'record' };
  if (session.lastTime !== undefined) return { utc: session.lastTime, source: 'derived' };
  return fileTime(session);
}

export function fileTime(session: Session): Time {
  const utc = toUtc(session.context.fileTime());
  return utc === null ? NO_TIME : { utc, source: 'file' };
}

/** Adds a row about unreadable bytes to the record's rows, with the session it was found in. */
export function addBadRow(scope: Scope, row: DraftRow): void {
  const { session } = scope;
  if (session.rows++ >= session.lookUpAt) lookUp(session);
  scope.rows.push({
    ...row,
    sessionKey: session.key,
    session_id: sessionIdOf(session),
    project_path: projectPathOf(session),
    attributes: mergeAttributes(scope.shared, row.attributes),
  });
}

function projectPathOf(session: Session): string | null {
  return session.project ?? session.projectHash ?? null;
}

/**
 * Asks for what other files tell: the project, and the full id of a session without a header. Asked again
 * after twice as many rows, since those files may be written later.
 */
function lookUp(session: Session): void {
  const { context, name } = session;
  session.lookUpAt = session.rows * 2;
  session.project ??= cleaned(context.project(session.projectHash));
  if (name.isPrefix) session.id ??= cleaned(context.knownSession(name.id));
  if (session.project !== undefined && session.id !== undefined) session.lookUpAt = Number.POSITIVE_INFINITY;
}

function cleaned(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cleanText(text);
}

const NONE: Attributes = {};

function mergeAttributes(shared: Attributes | undefined, own: Attributes | undefined): Attributes {
  if (shared === undefined) return own ?? NONE;
  return own === undefined ? shared : { ...shared, ...own };
}
