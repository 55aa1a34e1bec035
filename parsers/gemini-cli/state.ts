import { hash } from 'node:crypto';
import type { Attributes, DraftRow } from '../../agent/contract/row.ts';
import type { ParseContext } from '../../agent/contract/source.ts';
import { cleanText } from '../shared/text.ts';
import { folderOf } from './claims.ts';
import { readSessionName, type SessionName } from './session-name.ts';

/**
 * What is remembered of one session file. Rows are never taken back, so state only tells repeats from news:
 * the program writes messages again and again (with tool results, after a resume, under new ids).
 */
export interface Session {
  readonly context: ParseContext;
  readonly name: SessionName;
  /** Folder of the project, which names of copies hold. */
  readonly folder: string;
  /** Full session id, once a record or another file told it. */
  id: string | undefined;
  key: string;
  projectHash: string | undefined;
  project: string | undefined;
  /** Rows so far, and at how many of them the unknown project or id is looked up again. */
  rows: number;
  lookUpAt: number;
  /** Latest time that a record carried, for records without one. */
  lastTime: string | undefined;
  /** The latest time before that one. */
  timeBefore: string | undefined;
  model: string | undefined;
  /** By every id a message came under; a repeat under a new id is an alias. */
  readonly messages: Map<string, Message>;
  /** By the id of a user message that the program joined from several: what it stands for. */
  readonly joined: Map<string, readonly Message[]>;
  /** The conversation as the program would load it now; entries that left it have order -1. */
  live: Message[];
  /** Messages by the start of a text they carry, and by the id of a call in them, in the order first seen. */
  readonly byText: Map<string, Message[]>;
  readonly byCall: Map<string, Message[]>;
  /** Calls whose result came before the call itself. */
  readonly orphans: Set<string>;
  /** Facts that are rows once only: header times, summaries, contexts. */
  readonly said: Set<string>;
  readonly rewinds: Map<string, number>;
  run: Run | undefined;
  runs: number;
}

/** Who a message is from; other stands for what is no turn: notices, contexts, copies of results. */
export type Role = 'user' | 'gemini' | 'other';

export interface Message {
  /** The id first seen: rows of every later copy are built on it. */
  readonly id: string;
  role: Role;
  /** The program wrote it in the user's or the model's name. */
  isMachine: boolean;
  /** What identifies its text in copies: as typed, and with everything the program added. */
  readonly keys: string[];
  model: string | undefined;
  order: number;
  /** Run of repeats that matched it last. */
  run: number;
  thoughts: number;
  hasTokens: boolean;
  readonly calls: Map<string, Call>;
}

export interface Call {
  readonly id: string;
  name: string | undefined;
  isUsed: boolean;
  hasResult: boolean;
  /** Characters of the result text, to tell a masked result from the same one written again. */
  resultChars: number;
  readonly decisions: string[];
}

/** A stretch of messages that repeat the history under new ids, in its order. */
export interface Run {
  readonly number: number;
  /** Time of its first message. */
  readonly since: string | null;
  /** Place in the live conversation of the last match. */
  last: number;
  /** The copy began with a compression summary, so the acknowledgement after it is machine-made too. */
  isCompression: boolean;
}

/** One record being read: its place, and the rows that it gives. */
export interface Scope {
  readonly session: Session;
  readonly line: number;
  readonly rows: DraftRow[];
  /** Attributes of every row of this record. */
  readonly shared: Attributes | undefined;
}

export function createSession(context: ParseContext): Session {
  const name = readSessionName(context.path);
  return {
    context,
    name,
    folder: folderOf(context.path),
    id: undefined,
    key: name.key,
    projectHash: name.projectHash,
    project: undefined,
    rows: 0,
    lookUpAt: 0,
    lastTime: undefined,
    timeBefore: undefined,
    model: undefined,
    messages: new Map(),
    joined: new Map(),
    live: [],
    byText: new Map(),
    byCall: new Map(),
    orphans: new Set(),
    said: new Set(),
    rewinds: new Map(),
    run: undefined,
    runs: 0,
  };
}

/** Remembers a message under its id and puts it at the end of the live conversation. */
export function addMessage(session: Session, id: string, role: Role): Message {
  const message: Message = {
    id,
    role,
    isMachine: false,
    keys: [],
    model: undefined,
    order: session.live.length,
    run: 0,
    thoughts: 0,
    hasTokens: false,
    calls: new Map(),
  };
  session.messages.set(id, message);
  session.live.push(message);
  return message;
}

/** Versions of one message that are remembered; a real one has two. */
const MAX_KEYS = 50;

/** Lets a message be found by a text that it carries. */
export function addKey(session: Session, message: Message, key: string): void {
  if (key === '' || message.keys.length >= MAX_KEYS || message.keys.includes(key)) return;
  message.keys.push(key);
  append(session.byText, textIndex(message.role, key), message);
}

/** Messages of a role that carry a text, in the order first seen, and perhaps others: compare their keys. */
export function withText(session: Session, role: Role, key: string): readonly Message[] {
  return session.byText.get(textIndex(role, key)) ?? [];
}

function textIndex(role: Role, key: string): string {
  const mark = role === 'gemini' ? 'm' : 'u';
  return key.length <= INDEXED_CHARS ? mark + key : `${mark}${key.length}:${key.slice(0, INDEXED_CHARS)}`;
}

/** The call of a message, made when it is new. */
export function callOf(
  session: Session,
  message: Message,
  { id, name }: { readonly id: string; readonly name: string | undefined },
): Call {
  const known = message.calls.get(id);
  if (known) return known;
  const call = newCall(id, name);
  call.hasResult = session.orphans.delete(id);
  message.calls.set(id, call);
  append(session.byCall, id, message);
  return call;
}

export function newCall(id: string, name: string | undefined): Call {
  return {
    id: cleanText(id),
    name: name === undefined ? undefined : cleanText(name),
    isUsed: false,
    hasResult: false,
    resultChars: 0,
    decisions: [],
  };
}

/** True the first time a fact is said in this file. */
export function isNews(session: Session, fact: string): boolean {
  const key = matchKey(fact);
  if (session.said.has(key)) return false;
  session.said.add(key);
  return true;
}

/** Text up to this length is its own key: cheaper than a hash of it, and still little to keep. */
const KEPT_CHARS = 500;
/** Characters of a key that the index looks at; the candidates it gives are compared whole. */
const INDEXED_CHARS = 48;

/**
 * What two copies of a text have in common. White space around it is not: the program records an answer
 * trimmed, and rewrites it untrimmed.
 */
export function matchKey(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= KEPT_CHARS) return trimmed;
  return `${trimmed.length}#${hash('sha256', trimmed, 'base64url')}`;
}

export function isConversation(message: Message): boolean {
  return message.role !== 'other' && !message.isMachine;
}

export function hasHistory(session: Session): boolean {
  return session.byText.size > 0 || session.byCall.size > 0;
}

function append(index: Map<string, Message[]>, key: string, message: Message): void {
  const list = index.get(key);
  if (list) list.push(message);
  else index.set(key, [message]);
}
