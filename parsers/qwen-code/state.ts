import type { Attributes, DraftRow } from '../../agent/contract/row.ts';
import type { ParseContext } from '../../agent/contract/source.ts';
import { readSessionName, type SessionName } from './place.ts';

/** What is remembered of one session file; rebuilt by reading it from its start. */
export interface Session {
  readonly context: ParseContext;
  readonly name: SessionName;
  /** Session id as the records tell it, once one did. */
  id: string | undefined;
  /** Project of the last record that named one, for what has none of its own. */
  project: string | undefined;
  model: string | undefined;
  /** Whether the row for the beginning is out, and how many copied records stood before it. */
  isStarted: boolean;
  copied: number;
  forkedFrom: string | undefined;
  /** Records that nothing follows yet: one, or more when the session went on from an earlier record. */
  readonly tips: Set<string>;
  /** Records that may stand beside the conversation, and the record that they hang on. */
  readonly asides: Map<string, string | undefined>;
  /** Something before the next record could not be read, so where it hangs says nothing. */
  hasGap: boolean;
  /** How calls were approved, told before their result; by call id. */
  readonly approvals: Map<string, string>;
  /** Facts as last said: titles and the like are written again and again, and only another one is news. */
  readonly latest: Map<string, string>;
}

/** One record being read: its place, and the rows that it gives. */
export interface Scope {
  readonly session: Session;
  readonly line: number;
  readonly rows: DraftRow[];
  /** Id of the record, and the session that its rows' identity is built on. */
  readonly record: string;
  readonly sessionKey: string;
  /** Columns and attributes that all rows of the record share. */
  readonly columns: Pick<DraftRow, 'session_id' | 'project_path' | 'git_branch'>;
  readonly shared: Attributes;
}

export function createSession(context: ParseContext): Session {
  return {
    context,
    name: readSessionName(context.path),
    id: undefined,
    project: undefined,
    model: undefined,
    isStarted: false,
    copied: 0,
    forkedFrom: undefined,
    tips: new Set(),
    asides: new Map(),
    hasGap: false,
    approvals: new Map(),
    latest: new Map(),
  };
}

export function sessionIdOf(session: Session): string {
  return session.id ?? session.name.id;
}

/** True when a fact of this kind was not said before, or another one was. */
export function isNews(session: Session, kind: string, fact: string): boolean {
  if (session.latest.get(kind) === fact) return false;
  session.latest.set(kind, fact);
  return true;
}
