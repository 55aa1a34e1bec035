import type { Attributes } from '../../agent/contract/row.ts';
import { cleanText } from '../shared/text.ts';
import { type Time, toUtc } from '../shared/time.ts';
import { replaceHistory } from './history.ts';
import { readMessage } from './message.ts';
import { asList, asObject, asText, type RawFacts, type RawMessage } from './records.ts';
import { addEvent, eventTime, fileTime, recordTime } from './rows.ts';
import { sessionKeyOf } from './session-name.ts';
import { isNews, type Scope, type Session } from './state.ts';

/**
 * A header: the first line of a file, again at each resume in the same minute. Also the object of a legacy
 * session. Each start time is a row of its own.
 */
export function readHeader(scope: Scope, raw: RawFacts): void {
  const { session } = scope;
  session.run = undefined;
  takeIdentity(session, raw);
  addStart(scope, raw);
  addSummary(scope, raw);
  addMemory(scope, raw);
  for (const value of asList(raw.messages)) {
    const message = asObject<RawMessage>(value);
    if (message) readMessage(scope, message);
  }
}

/** Everything a `$set` can hold; most hold nothing but `lastUpdated`, which says nothing. */
const SET_KEYS: ReadonlySet<string> = new Set([
  'sessionId',
  'projectHash',
  'startTime',
  'lastUpdated',
  'kind',
  'directories',
  'summary',
  'memoryScratchpad',
  'messages',
] satisfies (keyof RawFacts)[]);

export function readSet(scope: Scope, raw: RawFacts): void {
  const { session } = scope;
  for (const key of Object.keys(raw)) if (!SET_KEYS.has(key)) session.context.note('unknown_set_key');
  takeIdentity(session, raw);
  if (Array.isArray(raw.messages)) replaceHistory(scope, raw.messages, raw.lastUpdated);
  addDirectories(scope, raw);
  addSummary(scope, raw);
  addMemory(scope, raw);
}

function takeIdentity(session: Session, raw: RawFacts): void {
  const id = asText(raw.sessionId);
  const projectHash = asText(raw.projectHash);
  if (id !== undefined) {
    session.id = cleanText(id);
    session.key = sessionKeyOf(id);
  }
  if (projectHash !== undefined && projectHash !== session.projectHash) {
    session.projectHash = cleanText(projectHash);
    session.lookUpAt = 0;
  }
}

function addStart(scope: Scope, raw: RawFacts): void {
  const { session } = scope;
  const startTime = asText(raw.startTime) ?? '';
  const isFirst = isNews(session, 'start');
  if (!isNews(session, `start ${startTime}`)) return;
  const kind = asText(raw.kind) ?? (session.name.parent === undefined ? 'main' : 'subagent');
  const time = recordTime(session, startTime);
  addEvent(scope, 'session.start', {
    record: 'header',
    content: startTime,
    text: `session start: ${kind}, ${toUtc(startTime) ?? 'no time'}`,
    time,
    attributes: startAttributes(raw, { kind, isFirst }),
  });
  addScratchDirectory(scope, time);
}

/** A worktree that the program makes for a session started with `--worktree` [D]: `<project>/.gemini/worktrees/<name>`. */
const WORKTREE = /^(.+)[\\/]\.gemini[\\/]worktrees[\\/]([^\\/]+)$/;

function addScratchDirectory(scope: Scope, time: Time): void {
  const { session } = scope;
  const path = session.project;
  const [, project, worktree] = WORKTREE.exec(path ?? '') ?? [];
  if (path === undefined || project === undefined || worktree === undefined) return;
  if (!isNews(session, 'scratch directory')) return;
  addEvent(scope, 'session.scratch_directory', {
    record: 'scratch',
    text: `scratch directory: ${path}`,
    time,
    attributes: { worktree, of_project: project },
  });
}

function startAttributes(raw: RawFacts, { kind, isFirst }: { kind: string; isFirst: boolean }): Attributes {
  const projectHash = asText(raw.projectHash);
  const directories = pathsOf(raw.directories);
  return {
    kind: cleanText(kind),
    ...(projectHash !== undefined && { project_hash: cleanText(projectHash) }),
    ...(directories.length > 0 && { directories: directories.join('\n') }),
    ...(!isFirst && { resumed: true }),
  };
}

/** `/directory add` widens what the session may touch. */
function addDirectories(scope: Scope, raw: RawFacts): void {
  const { session } = scope;
  const paths = pathsOf(raw.directories);
  const content = paths.join('\n');
  if (paths.length === 0 || !isNews(session, `directories ${content}`)) return;
  addEvent(scope, 'session.directories', {
    record: 'directories',
    content,
    text: `session directories: ${paths.join(', ')}`,
    time: eventTime(session, raw.lastUpdated),
    attributes: { directories: content, count: paths.length },
  });
}

/** Written into the file of an earlier session days later, so the record before says nothing of the time. */
function addSummary(scope: Scope, raw: RawFacts): void {
  const { session } = scope;
  const text = asText(raw.summary);
  if (text === undefined || !isNews(session, `summary ${text}`)) return;
  addEvent(scope, 'session.summary', { record: 'summary', text, time: appendedTime(session, raw) });
}

function addMemory(scope: Scope, raw: RawFacts): void {
  const { session } = scope;
  const memory = asObject<Record<string, unknown>>(raw.memoryScratchpad);
  if (!memory || Object.keys(memory).every((key) => key === 'version')) return;
  const text = `session memory: ${JSON.stringify(memory)}`;
  if (isNews(session, text))
    addEvent(scope, 'session.memory', { record: 'memory', text, time: appendedTime(session, raw) });
}

function appendedTime(session: Session, raw: RawFacts): ReturnType<typeof fileTime> {
  const utc = toUtc(raw.lastUpdated);
  return utc === null ? fileTime(session) : { utc, source: 'record' };
}

function pathsOf(value: unknown): string[] {
  return asList(value)
    .filter((path) => typeof path === 'string')
    .map(cleanText);
}
