import { type Message, matchKey, type Role, type Run, type Session, withText } from './state.ts';

/** Equal messages that are looked at before a message counts as new; bounds the work on hostile files. */
const MAX_CANDIDATES = 1000;

/** What is known of a message that may repeat one of the history. */
export interface Wanted {
  readonly role: Role;
  readonly keys: readonly string[];
  readonly callIds: readonly string[];
}

/** Copies are written at once; what comes later than this after the first one is news. */
const MAX_RUN_MS = 5000;

export function startRun(session: Session, since: string | null): Run {
  session.runs++;
  return { number: session.runs, since, last: -1, isCompression: false };
}

/** The run that a message of this time can belong to; a run whose time is over is ended. */
export function currentRun(session: Session, utc: string | null): Run | undefined {
  const { run } = session;
  const isOver = run?.since && utc && Date.parse(utc) - Date.parse(run.since) > MAX_RUN_MS;
  if (isOver) session.run = undefined;
  return session.run;
}

/**
 * The message of the history that the wanted one repeats under a new id: in order, each at most once, first
 * what is still part of the conversation, then what was removed from it. Undefined when it is new.
 */
export function findRepeat(session: Session, run: Run, wanted: Wanted): Message | undefined {
  const found = findByText(session, run, wanted) ?? findByCall(session, run, wanted);
  if (found) matched(run, found);
  return found;
}

/** A user message joined from several: those that it repeats, and the parts that are new. */
export interface SplitMessage {
  readonly repeated: readonly Message[];
  readonly fresh: readonly string[];
}

/** More parts than this were not joined from prompts. */
const MAX_PARTS = 50;

/**
 * The API takes no two user turns in a row, so a rewritten history joins them into one message of several parts
 * (seen after a shell command and a prompt). Undefined when no part repeats anything.
 */
export function splitJoined(session: Session, run: Run, parts: readonly string[]): SplitMessage | undefined {
  if (parts.length < 2 || parts.length > MAX_PARTS) return undefined;
  const repeated: Message[] = [];
  const fresh: string[] = [];
  for (let at = 0; at < parts.length; ) {
    const match = longestRepeat(session, run, parts, at);
    if (match) repeated.push(match.message);
    else fresh.push(parts[at] ?? '');
    at = match?.end ?? at + 1;
  }
  return repeated.length === 0 ? undefined : { repeated, fresh };
}

/** One of the joined messages may itself have had several parts. */
function longestRepeat(session: Session, run: Run, parts: readonly string[], at: number) {
  for (let end = parts.length; end > at; end--) {
    const key = matchKey(parts.slice(at, end).join(''));
    const message =
      key === '' ? undefined : findRepeat(session, run, { role: 'user', keys: [key], callIds: [] });
    if (message) return { message, end };
  }
  return undefined;
}

/** Takes a message out of what the rest of the run can repeat. */
export function matched(run: Run, message: Message): void {
  message.run = run.number;
  if (message.order >= 0) run.last = message.order;
}

function findByText(session: Session, run: Run, { role, keys }: Wanted): Message | undefined {
  for (const key of keys) {
    const found = pick(withText(session, role, key), run, (message) => message.keys.includes(key));
    if (found) return found;
  }
  return undefined;
}

/** Ids of calls survive every rewrite, so they tell where the text does not. */
function findByCall(session: Session, run: Run, { role, callIds }: Wanted): Message | undefined {
  if (role !== 'gemini') return undefined;
  for (const id of callIds) {
    const found = pick(session.byCall.get(id) ?? [], run, () => true);
    if (found) return found;
  }
  return undefined;
}

function pick(
  candidates: readonly Message[],
  run: Run,
  isWanted: (message: Message) => boolean,
): Message | undefined {
  let next: Message | undefined;
  let removed: Message | undefined;
  for (const message of candidates.length > MAX_CANDIDATES
    ? candidates.slice(0, MAX_CANDIDATES)
    : candidates) {
    if (message.run === run.number || !isWanted(message)) continue;
    if (message.order < 0) removed ??= message;
    else if (message.order > run.last && (!next || message.order < next.order)) next = message;
  }
  return next ?? removed;
}
