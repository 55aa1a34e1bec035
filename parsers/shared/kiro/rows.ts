import type { EventName } from '../../../agent/contract/events.ts';
import type { Attributes, DraftRow, Emit, TurnType } from '../../../agent/contract/row.ts';
import { cleanText } from '../text.ts';
import type { Time } from '../time.ts';
import type { RecordIdentity } from './identity.ts';

/** What the rows of one record share, and where they go. */
export interface RowScope {
  readonly session: string;
  readonly project: string | undefined;
  readonly line: number | null;
  readonly shared: Attributes;
  readonly emit: Emit;
}

/** What one row says; texts are cleaned here. */
export interface RowFacts extends RecordIdentity {
  readonly turn: TurnType;
  readonly text: string;
  readonly time: Time;
  readonly event?: EventName;
  readonly model?: string | undefined;
  readonly tool?: string | undefined;
  readonly callId?: string | undefined;
  readonly attributes?: Attributes;
  readonly claims?: readonly string[];
  readonly copyOf?: string | undefined;
}

export function addRow(scope: RowScope, facts: RowFacts): void {
  const text = shownText(facts.text);
  scope.emit({
    record: cleanText(facts.record),
    part: cleanText(facts.part),
    sessionKey: cleanText(facts.sessionKey),
    content: facts.content === undefined ? text : cleanText(facts.content),
    turn_type: facts.turn,
    text,
    timestamp_utc: facts.time.utc,
    timestamp_source: facts.time.source,
    session_id: scope.session === '' ? null : scope.session,
    project_path: scope.project ?? null,
    model: cleaned(facts.model),
    tool_name: cleaned(facts.tool),
    tool_use_id: cleaned(facts.callId),
    event: facts.event ?? null,
    attributes: cleanAttributes({
      ...scope.shared,
      ...facts.attributes,
      ...fact('time_original', facts.time.original),
    }),
    source_line: scope.line,
    claims: facts.claims ?? [],
    ...(facts.copyOf !== undefined && { copyOf: facts.copyOf }),
  });
}

type EventFacts = Omit<RowFacts, 'turn' | 'event' | 'part' | 'sessionKey'> &
  Partial<Pick<RowFacts, 'part' | 'sessionKey'>>;

/** A system row: something about the session, not said by anyone. */
export function addEvent(scope: RowScope, event: EventName, facts: EventFacts): void {
  addRow(scope, { part: event, sessionKey: scope.session, ...facts, turn: 'system', event });
}

/** Row about bytes that could not be read, with the session they were found in. */
export function addBad(scope: RowScope, row: DraftRow): void {
  scope.emit({
    ...row,
    sessionKey: scope.session,
    session_id: scope.session === '' ? null : scope.session,
    project_path: scope.project ?? null,
  });
}

/** An attribute, where there is a value for it. */
export function fact(name: string, value: string | number | boolean | undefined): Attributes {
  return value === undefined ? {} : { [name]: value };
}

/** They begin and end a sequence for a terminal just as ESC and another character do. U+0085 is a line end. */
const EIGHT_BIT_CONTROLS = /[\u0090\u0098\u009b-\u009f]/g;

/** Output of programs may hold sequences that act on a terminal; they are shown, never passed on. */
export function shownText(text: string): string {
  const clean = cleanText(text);
  const shown = clean.includes('\u001b') ? clean.replaceAll('\u001b', '\u241b') : clean;
  return shown.replace(EIGHT_BIT_CONTROLS, '\ufffd');
}

function cleaned(text: string | undefined): string | null {
  return text === undefined ? null : cleanText(text);
}

function cleanAttributes(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? shownText(value) : value,
    ]),
  );
}
