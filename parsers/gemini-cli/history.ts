import type { Time } from '../shared/time.ts';
import { machineName } from './claims.ts';
import {
  addAcknowledgement,
  addGemini,
  callIdsOf,
  type GeminiContent,
  isTextKey,
  readGeminiContent,
  wantedGemini,
} from './gemini.ts';
import { COMPRESSED, isCompressionAck } from './machine-text.ts';
import { readMessage } from './message.ts';
import { asId, asObject, type RawMessage } from './records.ts';
import { findRepeat, matched, splitJoined, startRun } from './repeats.ts';
import { addEvent, eventTime, recordTime } from './rows.ts';
import {
  addKey,
  addMessage,
  hasHistory,
  isConversation,
  type Message,
  matchKey,
  type Run,
  type Scope,
  type Session,
} from './state.ts';
import {
  addJoined,
  addNewUser,
  onlyParts,
  readKnownUser,
  readUserContent,
  type UserContent,
} from './user.ts';

/** A message of the new history, and the one of the old history that it stands for. */
interface Item {
  readonly id: string;
  readonly raw: RawMessage;
  readonly known: Message | undefined;
  /** The messages that this one was joined from. */
  readonly joined?: readonly Message[];
  readonly user?: UserContent;
  readonly gemini?: GeminiContent;
  readonly made?: 'summary' | 'acknowledgement';
}

interface Change {
  readonly removed: readonly Message[];
  readonly kept: number;
  /** Those of the kept that had left the conversation before. */
  readonly restored: readonly Message[];
}

/**
 * `$set.messages` replaces the whole conversation: after a resume, a compression, a rewind, a failed
 * request, a refused approval. Known messages give only what is new inside them, copies under new ids
 * nothing, and what left the conversation one row that says so: it did happen.
 */
export function replaceHistory(scope: Scope, list: readonly unknown[], lastUpdated: unknown): void {
  const { session } = scope;
  session.run = undefined;
  const items = resolve(session, list);
  const change = compare(session, items);
  for (const message of session.live) message.order = -1;
  session.live = [];
  const time = eventTime(session, lastUpdated);
  const isCompression = items.some(({ made }) => made === 'summary');
  if (!isCompression && change.removed.length + change.restored.length > 0) addReplaced(scope, change, time);
  for (const item of items) addItem(scope, item, change);
}

function resolve(session: Session, list: readonly unknown[]): Item[] {
  const run = startRun(session, null);
  const raws = list.flatMap((value) => asObject<RawMessage>(value) ?? []);
  const summaryAt = findSummary(session, raws);
  const items: Item[] = [];
  for (const [index, raw] of raws.entries()) {
    const id = asId(raw.id);
    if (id === undefined) session.context.note('unknown_record');
    else if (index === summaryAt)
      items.push({ id, raw, known: undefined, user: readUserContent(raw), made: 'summary' });
    else items.push(resolveOne(session, run, { id, raw, isAck: summaryAt >= 0 && index === summaryAt + 1 }));
  }
  return items;
}

function resolveOne(session: Session, run: Run, one: { id: string; raw: RawMessage; isAck: boolean }): Item {
  const { id, raw } = one;
  const known = session.messages.get(id);
  if (known) matched(run, known);
  if (raw.type === 'user') return resolveUser(session, run, { id, raw, known });
  if (raw.type !== 'gemini') return { id, raw, known };
  const gemini = readGeminiContent(raw);
  if (one.isAck) return { id, raw, known: undefined, gemini, made: 'acknowledgement' };
  return { id, raw, known: known ?? findRepeat(session, run, wantedGemini(raw, gemini)), gemini };
}

function resolveUser(session: Session, run: Run, item: Item): Item {
  const user = readUserContent(item.raw);
  const joined = session.joined.get(item.id);
  for (const message of joined ?? []) matched(run, message);
  if (joined) return { ...item, joined, user: onlyParts(user, []) };
  const known = item.known ?? findRepeat(session, run, { role: 'user', keys: user.keys, callIds: [] });
  const split = known ? undefined : splitJoined(session, run, user.parts);
  if (!split) return { ...item, known, user };
  session.joined.set(item.id, split.repeated);
  return { ...item, joined: split.repeated, user: onlyParts(user, split.fresh) };
}

/**
 * Place of a compression summary: the first turn is a user message under a new id, and the model's fixed
 * acknowledgement under a new id follows. It looks like a prompt, but the program wrote it.
 */
function findSummary(session: Session, raws: readonly RawMessage[]): number {
  if (!hasHistory(session)) return -1;
  const at = raws.findIndex((raw) => raw.type !== 'user' || readUserContent(raw).keys.length > 0);
  const summary = raws[at];
  const answer = raws[at + 1];
  if (summary?.type !== 'user' || answer?.type !== 'gemini') return -1;
  const isNew = !isKnown(session, summary) && !isKnown(session, answer);
  return isNew && isCompressionAck(readGeminiContent(answer).text) ? at : -1;
}

function isKnown(session: Session, raw: RawMessage): boolean {
  const id = asId(raw.id);
  return id !== undefined && session.messages.has(id);
}

function compare(session: Session, items: readonly Item[]): Change {
  const kept = new Set<Message>();
  for (const { known, joined = [] } of items) {
    for (const message of known ? [known, ...joined] : joined) if (isConversation(message)) kept.add(message);
  }
  const missing = session.live.filter((message) => isConversation(message) && !kept.has(message));
  const callIds = missing.length === 0 ? new Set<string>() : allCallIds(items);
  const removed = missing.filter((message) => !isCarried(message, callIds));
  return { removed, kept: kept.size, restored: [...kept].filter(({ order }) => order < 0) };
}

function allCallIds(items: readonly Item[]): Set<string> {
  const ids = new Set<string>();
  for (const { raw, gemini } of items) {
    if (gemini) for (const id of callIdsOf(raw, gemini)) ids.add(id);
  }
  return ids;
}

/** A message that only held calls is not gone when another one carries them all. */
function isCarried(message: Message, callIds: ReadonlySet<string>): boolean {
  if (message.keys.some(isTextKey) || message.calls.size === 0) return false;
  for (const id of message.calls.keys()) if (!callIds.has(id)) return false;
  return true;
}

function addReplaced(scope: Scope, { removed, kept, restored }: Change, time: Time): void {
  const back = restored.length === 0 ? '' : `, ${restored.length} of them restored`;
  addEvent(scope, 'session.history_replaced', {
    record: 'history',
    content: `${idsOf(removed)} / ${idsOf(restored)}`,
    text: `history replaced: ${removed.length} removed, ${kept} kept${back}`,
    time,
    attributes: { removed: removed.length, kept, ...(restored.length > 0 && { restored: restored.length }) },
  });
}

function idsOf(messages: readonly Message[]): string {
  return messages.map(({ id }) => id).join(' ');
}

function addItem(scope: Scope, item: Item, change: Change): void {
  const { session } = scope;
  const { id, raw, known, joined, user, gemini, made } = item;
  if (known) place(session, id, known);
  for (const message of joined ?? []) place(session, message.id, message);
  if (user && made) {
    addSummary(scope, { id, raw, user }, change);
  } else if (gemini && made) {
    addAcknowledgement(session, id, gemini);
  } else if (user) {
    const pass = { user, time: recordTime(session, raw.timestamp), isRewrite: true };
    if (known) readKnownUser(scope, known, pass);
    else if (joined) addJoined(scope, id, pass);
    else addNewUser(scope, id, pass);
  } else if (gemini) {
    addGemini(scope, known ?? addMessage(session, id, 'gemini'), {
      raw,
      gemini,
      isRewrite: known !== undefined,
    });
  } else if (!known) {
    readMessage(scope, raw);
  }
}

/** Puts a known message, under whatever id it now has, at the end of the live conversation. */
function place(session: Session, id: string, message: Message): void {
  session.messages.set(id, message);
  message.order = session.live.length;
  session.live.push(message);
}

function addSummary(
  scope: Scope,
  item: { id: string; raw: RawMessage; user: UserContent },
  change: Change,
): void {
  const { session } = scope;
  const { id, raw, user } = item;
  const message = addMessage(session, id, 'user');
  message.isMachine = true;
  for (const key of user.keys) addKey(session, message, key);
  const text = user.typed === '' ? user.machine.map((part) => part.text).join('') : user.typed;
  addEvent(scope, COMPRESSED, {
    record: id,
    text,
    claims: [machineName(session.folder, matchKey(text))],
    time: recordTime(session, raw.timestamp),
    attributes: { removed: change.removed.length, kept: change.kept },
  });
}
