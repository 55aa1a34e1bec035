import type { EventName } from '../../agent/contract/events.ts';
import type { Time } from '../shared/time.ts';
import { machineName } from './claims.ts';
import { type Content, joined, joinedText, readContent } from './content.ts';
import { COMPRESSED, CONTEXT, isFileBodyMark, isShellInput, machineEvent } from './machine-text.ts';
import { promptClaims } from './prompt-claims.ts';
import type { RawMessage } from './records.ts';
import { currentRun, findRepeat, splitJoined, startRun } from './repeats.ts';
import { addResponses } from './responses.ts';
import { addRewrittenText } from './rewritten.ts';
import { addEvent, addRow, recordTime } from './rows.ts';
import {
  addKey,
  addMessage,
  hasHistory,
  isNews,
  type Message,
  matchKey,
  type Scope,
  type Session,
} from './state.ts';

/** A user message, taken apart into what was typed and what the program added. */
export interface UserContent {
  readonly content: Content;
  /** What the person typed; empty when all of it is machine-made. */
  readonly typed: string;
  readonly machine: readonly MachinePart[];
  readonly keys: readonly string[];
  /** Text parts of what was typed, in their order: a rewritten history joins user messages part by part. */
  readonly parts: readonly string[];
}

interface MachinePart {
  readonly event: EventName;
  readonly text: string;
}

export function readUserContent(raw: RawMessage): UserContent {
  const content = readContent(raw.content);
  const machine: MachinePart[] = [];
  const texts: string[] = [];
  for (const text of content.texts) {
    const event = machineEvent(text);
    if (event === undefined) texts.push(text);
    else machine.push({ event, text });
  }
  const bodies = texts.findIndex(isFileBodyMark);
  const whole = joined(texts, '');
  const parts = bodies > 0 ? texts.slice(0, bodies) : texts;
  const own = bodies > 0 ? joined(parts, '') : whole;
  const shown = raw.displayContent === undefined ? '' : joinedText(raw.displayContent);
  const typed = shown === '' ? own : shown;
  return { content, typed, machine, keys: keysOf(typed, whole, machine), parts };
}

/** The same message reduced to those of its parts that are new. */
export function onlyParts(user: UserContent, parts: readonly string[]): UserContent {
  const typed = joined(parts, '');
  return { ...user, typed, parts, keys: keysOf(typed, typed, []) };
}

/** A copy may come with or without what the program added, so both texts identify the message. */
function keysOf(typed: string, whole: string, machine: readonly MachinePart[]): string[] {
  const key = matchKey(typed);
  if (key === '') {
    const rest = machine.filter(({ event }) => event !== CONTEXT).map(({ text }) => text);
    return rest.length === 0 ? [] : [matchKey(rest.join(''))];
  }
  const other = whole === typed ? key : matchKey(whole);
  return other === key || other === '' ? [key] : [key, other];
}

/** A user message as its own line. */
export function readUser(scope: Scope, id: string, raw: RawMessage): void {
  const { session } = scope;
  const user = readUserContent(raw);
  const time = recordTime(session, raw.timestamp);
  const known = session.messages.get(id);
  if (known) {
    readKnownUser(scope, known, { user, time, isRewrite: false });
    return;
  }
  if (opensRun(session, user)) session.run = startRun(session, time.utc);
  const run = currentRun(session, time.utc);
  const repeated = run && findRepeat(session, run, { role: 'user', keys: user.keys, callIds: [] });
  if (repeated) {
    session.messages.set(id, repeated);
    readKnownUser(scope, repeated, { user, time, isRewrite: true });
    return;
  }
  const split = run && splitJoined(session, run, user.parts);
  if (split) {
    session.joined.set(id, split.repeated);
    addJoined(scope, id, { user: onlyParts(user, split.fresh), time });
    return;
  }
  if (user.keys.length > 0)
    session.run = run && isSummary(user) ? { ...run, isCompression: true } : undefined;
  addNewUser(scope, id, { user, time });
}

/** What a joined message adds to those that it repeats. */
export function addJoined(scope: Scope, id: string, { user, time }: UserTurn): void {
  addResponses(scope, id, { responses: user.content.responses, time });
  addContexts(scope, user, time);
  if (user.typed !== '') addNewUser(scope, id, { user, time });
}

interface UserTurn {
  readonly user: UserContent;
  readonly time: Time;
}

interface UserPass extends UserTurn {
  /** The program wrote the message again, so another text is its doing. */
  readonly isRewrite: boolean;
}

/** Rows of a user message that was never seen before. */
export function addNewUser(scope: Scope, id: string, { user, time }: UserTurn): Message {
  const { session } = scope;
  addResponses(scope, id, { responses: user.content.responses, time });
  addContexts(scope, user, time);
  const message = addMessage(session, id, user.keys.length === 0 ? 'other' : 'user');
  message.isMachine = user.typed === '';
  for (const key of user.keys) addKey(session, message, key);
  for (const { event, text } of user.machine) {
    if (event !== CONTEXT)
      addEvent(scope, event, { record: id, text, time, claims: machineClaims(session, text) });
  }
  if (user.typed !== '') addTyped(scope, message, { user, time });
  return message;
}

/** A message that comes again: only another text is news. */
export function readKnownUser(scope: Scope, message: Message, { user, time, isRewrite }: UserPass): void {
  const { session } = scope;
  addResponses(scope, message.id, { responses: user.content.responses, time });
  addContexts(scope, user, time);
  if (user.typed === '' || user.keys.some((key) => message.keys.includes(key))) return;
  const isRevision = message.role !== 'other';
  if (!isRevision) message.role = 'user';
  message.isMachine = false;
  for (const key of user.keys) addKey(session, message, key);
  if (isRewrite && isRevision) addRewrittenText(scope, message, { text: user.typed, time });
  else addTyped(scope, message, { user, time, isRevision });
}

/** The context is repeated at every start and in every rewrite; one row for each text of it. */
function addContexts(scope: Scope, user: UserContent, time: Time): void {
  for (const { event, text } of user.machine) {
    if (event !== CONTEXT || !isNews(scope.session, `${CONTEXT} ${text}`)) continue;
    addEvent(scope, event, { record: 'context', text, time, claims: machineClaims(scope.session, text) });
  }
}

function machineClaims(session: Session, text: string): readonly string[] {
  return [machineName(session.folder, matchKey(text))];
}

interface Typed extends UserTurn {
  readonly isRevision?: boolean;
}

function addTyped(scope: Scope, message: Message, { user, time, isRevision }: Typed): void {
  const isShell = isShellInput(user.typed);
  const attributes = { ...(isShell && { input: 'shell' }), ...(isRevision && { revision: true }) };
  addRow(scope, {
    record: message.id,
    part: 'text',
    turn: 'user',
    text: user.typed,
    time,
    attributes: isShell || isRevision ? attributes : undefined,
    claims: promptClaims(scope.session, user, time),
  });
}

/**
 * The program writes its whole history again under new ids after a refused approval, and newer releases
 * also after a compression: the copy begins with the session context or with the summary.
 */
function opensRun(session: Session, user: UserContent): boolean {
  const first = user.machine[0]?.event;
  return (first === CONTEXT || first === COMPRESSED) && hasHistory(session);
}

function isSummary(user: UserContent): boolean {
  return user.typed === '' && user.machine.some(({ event }) => event === COMPRESSED);
}
