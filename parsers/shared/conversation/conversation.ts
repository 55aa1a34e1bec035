import type { Emit } from '../../../agent/contract/row.ts';
import { badDocument, badElement } from '../bad-line.ts';
import { asList, asObject, asText, type JsonObject } from '../fields.ts';
import { addBad, type RowScope } from '../kiro/rows.ts';
import { structureRefusal } from '../structure.ts';
import { cleanText } from '../text.ts';
import { readCopies } from './copies.ts';
import { readEntry } from './entry.ts';
import { type Neighbour, tellFork } from './forks.ts';
import { noteChange } from './lifecycle.ts';
import {
  othersAfter,
  readMemory,
  type StateView,
  type TalkMemory,
  tailOf,
  viewOf,
  writeMemory,
} from './memory.ts';
import { createTalk, type Talk, variantOf } from './state.ts';
import { readSummary } from './summary.ts';
import { tellTranscript } from './transcript.ts';

/** A conversation as one record or one file holds it. */
export interface Held {
  readonly bytes: Buffer;
  readonly project: string | undefined;
  /** Whether compacting goes on under a new conversation id. */
  readonly forks: boolean;
  readonly memory: string | undefined;
  readonly emit: Emit;
  /** Id of the conversation where the store names it beside the value. */
  readonly id?: string | undefined;
  /** When the store says it was saved, in Unix ms. */
  readonly savedMs?: number | undefined;
  /** Other conversations of the store. */
  readonly neighbours?: () => Iterable<Neighbour>;
}

/**
 * Reads a ConversationState: the whole talk in one JSON value, written anew after every answer. Rows of what was told
 * before come again with the same ids, unless the memory tells where the news begin.
 */
export function readConversation(held: Held): string | undefined {
  const before = readMemory(held.memory);
  const view = viewOf(held.bytes, before);
  const state = parsedState(view.json);
  if (typeof state !== 'object') {
    addBad(
      { session: held.id ?? '', project: held.project, line: null, shared: {}, emit: held.emit },
      badDocument('conversation is not a JSON object', { bytes: held.bytes, reason: state, line: null }),
    );
    return held.memory;
  }
  return readState(held, { state, view, before });
}

function parsedState(bytes: Buffer): JsonObject | string {
  const refusal = structureRefusal(bytes);
  if (refusal !== undefined) return refusal;
  try {
    return asObject(JSON.parse(bytes.toString('utf8'))) ?? 'another kind of value';
  } catch {
    return bytes.length === 0 ? 'empty' : 'not valid JSON';
  }
}

interface Read {
  readonly state: JsonObject;
  readonly view: StateView;
  readonly before: TalkMemory | undefined;
}

function readState(held: Held, { state, view, before }: Read): string | undefined {
  const isTail = view.skipped > 0;
  const id = cleanText((isTail ? before?.id : asText(state['conversation_id'])) ?? held.id ?? '');
  const scope: RowScope = {
    session: id,
    project: held.project ?? directoryIn(state),
    line: null,
    shared: {},
    emit: held.emit,
  };
  const talk = createTalk({ id, state, forks: held.forks });
  if (isTail) talk.model = before?.model;
  const history = asList(state['history']);
  const count = view.skipped + history.length;
  readSummary(scope, state['latest_summary'], held.forks);
  readSummary(scope, asObject(state['tangent_state'])?.['main_latest_summary'], held.forks);
  readHistory(scope, talk, { history, skipped: view.skipped, main: mainCount(state) });
  if (!isTail) readCopies({ scope, state, forks: held.forks });
  readNext(scope, talk, state['next_message']);
  const last = lastAnswer(history);
  noteChange(scope, before, { count, last });
  if (!isTail) {
    tellFork(scope, talk, held.neighbours ?? (() => []));
    tellTranscript(scope, state, talk.time);
  }
  return writeMemory({
    id,
    count,
    model: talk.model,
    last,
    tail: talk.hasUntimed ? undefined : (tailOf(held.bytes, view) ?? (isTail ? before?.tail : undefined)),
    others: othersAfter(before, id),
    savedMs: held.savedMs,
  });
}

/** Where the first prompt was typed: a record that names no directory has only that. */
function directoryIn(state: JsonObject): string | undefined {
  const user = asObject(asObject(asList(state['history'])[0])?.['user']);
  const environment = asObject(asObject(user?.['env_context'])?.['env_state']);
  return asText(environment?.['current_working_directory']);
}

/** Entries of the main talk while a side talk goes on; the history begins with them. */
function mainCount(state: JsonObject): number {
  const tangent = asObject(state['tangent_state']);
  return tangent ? asList(tangent['main_history']).length : Number.POSITIVE_INFINITY;
}

interface Entries {
  readonly history: readonly unknown[];
  readonly skipped: number;
  readonly main: number;
}

function readHistory(scope: RowScope, talk: Talk, { history, skipped, main }: Entries): void {
  for (const [at, entry] of history.entries()) {
    const index = skipped + at;
    const isToldBefore = skipped > 0 && at === 0;
    const here = isToldBefore ? { ...scope, emit: () => {} } : scope;
    if (!readEntry({ scope: here, talk, index, isTangent: index >= main }, entry))
      addBad(
        scope,
        badElement(index + 1, {
          bytes: Buffer.from(JSON.stringify(entry) ?? ''),
          reason: 'not an entry',
          line: null,
        }),
      );
  }
}

/** A message that has no answer yet: exports alone can hold one. */
function readNext(scope: RowScope, talk: Talk, value: unknown): void {
  const user = asObject(value);
  if (!user) return;
  readEntry({ scope, talk, index: -1, isTangent: false }, { user });
}

function lastAnswer(history: readonly unknown[]): string | undefined {
  return asText(variantOf(asObject(history.at(-1))?.['assistant'])?.data['message_id']);
}
