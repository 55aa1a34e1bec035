import type { EventName } from '../../agent/contract/events.ts';
import type { Attributes, DraftRow, TurnType } from '../../agent/contract/row.ts';
import { cleanText } from '../shared/text.ts';
import type { Time } from '../shared/time.ts';
import { type Scope, type Session, sessionIdOf } from './state.ts';

/** What one row says. All but the text is clean already. */
interface RowFacts {
  readonly part: string;
  readonly turn: TurnType;
  readonly text: string;
  readonly time: Time;
  /** Another record than the one being read, for facts of the whole session: identity is the session's then. */
  readonly record?: string;
  /** What identity hashes instead of the text. */
  readonly content?: string;
  readonly event?: EventName;
  readonly model?: string | undefined;
  readonly tool?: string | undefined;
  readonly callId?: string | undefined;
  readonly attributes?: Attributes;
  /** Names that copies of it have in other files. */
  readonly claims?: readonly string[];
}

export function addRow(scope: Scope, facts: RowFacts): void {
  const text = cleanText(facts.text);
  scope.rows.push({
    record: facts.record ?? scope.record,
    part: facts.part,
    sessionKey: facts.record === undefined ? scope.sessionKey : sessionIdOf(scope.session),
    content: facts.content ?? text,
    turn_type: facts.turn,
    text,
    timestamp_utc: facts.time.utc,
    timestamp_source: facts.time.source,
    ...scope.columns,
    model: facts.model ?? null,
    tool_name: facts.tool ?? null,
    tool_use_id: facts.callId ?? null,
    event: facts.event ?? null,
    attributes: { ...scope.shared, ...facts.attributes },
    source_line: scope.line,
    claims: facts.claims ?? [],
  });
}

type EventFacts = Pick<RowFacts, 'record' | 'content' | 'text' | 'time' | 'attributes' | 'claims'>;

/** A system row: something about the session, not said by anyone. */
export function addEvent(scope: Scope, event: EventName, facts: EventFacts): void {
  addRow(scope, { part: event, turn: 'system', event, ...facts });
}

/** Adds a row about unreadable bytes, with the session it was found in. */
export function badRow(session: Session, row: DraftRow): DraftRow {
  return {
    ...row,
    sessionKey: sessionIdOf(session),
    session_id: sessionIdOf(session),
    project_path: session.project ?? null,
  };
}
