import type { EventName } from '../../agent/contract/events.ts';
import type { ParseContext } from '../../agent/contract/source.ts';
import { badDocument } from '../shared/bad-line.ts';
import {
  addBad,
  addRow as addSharedRow,
  type RowScope,
  type RowFacts as SharedFacts,
  shownText,
} from '../shared/kiro/rows.ts';
import { cleanText } from '../shared/text.ts';
import { chatTurnName } from './claims.ts';

/** One file being read: what its rows share, and where they go. */
export interface Scope extends RowScope {
  readonly context: ParseContext;
  /** Names of the directories that hold other files of its workspace. */
  readonly folders: readonly string[];
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
    line: 1,
    shared: {},
    told: new Set(),
    times: new Map(),
  };
}

/** What one row says; the session stands for itself where no other name is given for it. */
export type RowFacts = Omit<SharedFacts, 'sessionKey'> & Partial<Pick<SharedFacts, 'sessionKey'>>;

export function addRow(scope: Scope, facts: RowFacts): void {
  const content = facts.content ?? shownText(facts.text);
  const identity = JSON.stringify([facts.record, facts.part, content]);
  if (scope.told.has(identity)) return;
  scope.told.add(identity);
  addSharedRow(scope, { ...facts, sessionKey: facts.sessionKey ?? scope.session });
}

type EventFacts = Omit<RowFacts, 'part' | 'turn' | 'event'> & { readonly part?: string };

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

/** Reads one record; one that is nested too deeply to be written again is a row that says so. */
export function guarded(scope: Scope, bytes: Buffer, read: () => void): void {
  try {
    read();
  } catch {
    addBad(scope, badDocument('unreadable record', { bytes, reason: 'unexpected shape', line: 1 }));
  }
}
