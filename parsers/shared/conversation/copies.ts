import { asList, asObject, asText, type JsonObject } from '../fields.ts';
import { addEvent, type RowScope } from '../kiro/rows.ts';
import { derived, timeOf } from '../kiro/time.ts';
import { compactJson } from '../kiro/values.ts';
import { type Time, utcOfMs } from '../time.ts';
import { readEntry } from './entry.ts';
import { createTalk, recoveredEmit, variantOf } from './state.ts';

/** One conversation as its record holds it now. */
export interface HeldState {
  readonly scope: RowScope;
  readonly state: JsonObject;
  readonly forks: boolean;
}

/**
 * Histories that the state holds beside its own: the main talk while a side talk goes on, and what each checkpoint kept.
 * What the history itself has is no news; anything else is the last copy there is.
 */
export function readCopies(held: HeldState): void {
  const known = new Set(asList(held.state['history']).map(entryName));
  const tangent = asObject(held.state['tangent_state']);
  const { count: main, time } = readCopy(held, tangent?.['main_history'], known);
  if (main > 0)
    addEvent(held.scope, 'session.checkpoint', {
      record: 'tangent',
      content: '',
      text: `tangent mode: main conversation held aside, recovered=${main} entries`,
      time: startedAt(tangent?.['tangent_start_time']) ?? derived(time),
      attributes: { kind: 'tangent', entries: main },
    });
  const manager = asObject(held.state['checkpoint_manager']);
  for (const value of asList(manager?.['checkpoints'])) readCheckpoint(held, asObject(value) ?? {}, known);
}

function readCheckpoint(held: HeldState, checkpoint: JsonObject, known: Set<string>): void {
  const { count } = readCopy(held, checkpoint['history_snapshot'], known);
  if (count === 0) return;
  const tag = asText(checkpoint['tag']) ?? '-';
  const tool = asText(checkpoint['tool_name']);
  const about = asText(checkpoint['description']);
  addEvent(held.scope, 'session.checkpoint', {
    record: `checkpoint ${tag}`,
    content: '',
    text: `checkpoint snapshot: tag=${tag}${tool === undefined ? '' : ` tool=${tool}`} recovered=${count} entries${about === undefined ? '' : `: ${about}`}`,
    time: timeOf(checkpoint['timestamp']),
    tool,
    attributes: { kind: 'checkpoint', tag, entries: count },
  });
}

/** The program writes the beginning of a side talk as year, day of the year, hour, minute, second, nanosecond, in UTC. */
function startedAt(value: unknown): Time | undefined {
  const parts = asList(value).map((part) => (Number.isInteger(part) ? Number(part) : Number.NaN));
  const [year = Number.NaN, day = 0, hour = 0, minute = 0, second = 0, nanos = 0] = parts;
  const utc = utcOfMs(Date.UTC(year, 0, day, hour, minute, second, Math.trunc(nanos / 1e6)));
  return utc === null ? undefined : { utc, source: 'record' };
}

interface Copied {
  /** Entries that were not known. */
  readonly count: number;
  /** When the last entry of the copy happened. */
  readonly time: Time;
}

/** All entries are read, since results name calls of entries before them. */
function readCopy({ scope, state, forks }: HeldState, history: unknown, known: Set<string>): Copied {
  const entries = asList(history);
  const talk = createTalk({ id: scope.session, state: { ...state, history: entries }, forks });
  const silent = { ...scope, emit: () => {} };
  const loud = { ...scope, emit: recoveredEmit(scope.emit) };
  let count = 0;
  for (const [index, entry] of entries.entries()) {
    const name = entryName(entry);
    const isNew = !known.has(name);
    if (readEntry({ scope: isNew ? loud : silent, talk, index, isTangent: false }, entry) && isNew) count++;
    known.add(name);
  }
  return { count, time: talk.time };
}

/** An entry by its answer, or by all that it says. */
function entryName(entry: unknown): string {
  const { user, assistant } = asObject<{ user?: unknown; assistant?: unknown }>(entry) ?? {};
  const id = asText(variantOf(assistant)?.data['message_id']);
  if (id !== undefined) return id;
  const { content, timestamp } = asObject<{ content?: unknown; timestamp?: unknown }>(user) ?? {};
  return compactJson([content, timestamp, assistant]);
}
