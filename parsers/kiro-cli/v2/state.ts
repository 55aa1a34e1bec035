import type { ParseContext } from '../../../agent/contract/source.ts';
import { asText, type JsonObject } from '../../shared/fields.ts';
import { createRepeats, type Repeats } from '../../shared/kiro/repeats.ts';
import type { RowScope } from '../../shared/kiro/rows.ts';
import { cleanText } from '../../shared/text.ts';
import { NO_TIME, type Time } from '../../shared/time.ts';

/** A call that an answer asked for. */
export interface OpenCall {
  readonly name: string;
  /** Id of the answer that asked for it. */
  readonly message: string;
  /** All calls of that answer. */
  readonly siblings: readonly string[];
}

/** What is remembered of one log; rebuilt by reading it from its start. */
export interface Session {
  readonly context: ParseContext;
  readonly id: string;
  readonly calls: Map<string, OpenCall>;
  readonly repeats: Repeats;
  /** How often each mark came: marks have no id. */
  readonly marks: Map<string, number>;
  /** Where the session runs; it can be loaded in another directory. */
  project: string | undefined;
  /** Time of the last prompt: the only records with a time are prompts. */
  time: Time;
  model: string | undefined;
  /** Calls that were cancelled just now: what is typed next may be the answer to the question. */
  cancelled: readonly string[];
}

/** One record being read. */
export interface Scope extends RowScope {
  readonly log: Session;
}

export function createSession(context: ParseContext): Session {
  return {
    context,
    id: sessionIn(context.path),
    calls: new Map(),
    repeats: createRepeats(),
    marks: new Map(),
    project: undefined,
    time: NO_TIME,
    model: undefined,
    cancelled: [],
  };
}

/** Calls that are remembered: a result follows its call at once, but may be written again later. */
const MAX_CALLS = 5_000;

export function rememberCall({ calls }: Session, id: string, call: OpenCall): void {
  calls.set(id, call);
  const [oldest] = calls.size > MAX_CALLS ? calls.keys() : [];
  if (oldest !== undefined) calls.delete(oldest);
}

/** The file is named by the session. */
export function sessionIn(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return cleanText(name.slice(0, name.lastIndexOf('.')));
}

/** Name of a mark, another one each time: `Clear`, `Clear:2`. */
export function nthMark({ marks }: Session, name: string): string {
  const count = (marks.get(name) ?? 0) + 1;
  marks.set(name, count);
  return count === 1 ? name : `${name}:${count}`;
}

/** Id of a record's message; a record that was cut by hand may have none. */
export function messageId(data: JsonObject): string | undefined {
  return asText(data['message_id']);
}
