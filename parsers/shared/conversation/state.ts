import type { Emit } from '../../../agent/contract/row.ts';
import { asObject, asText, type JsonObject } from '../fields.ts';
import type { RowScope } from '../kiro/rows.ts';
import { derived, timeOf } from '../kiro/time.ts';
import { NO_TIME, type Time } from '../time.ts';

/** A call that an answer asked for, until its result comes. */
export interface OpenCall {
  readonly name: string | undefined;
  /** Id of the answer that asked for it. */
  readonly message: string;
}

/** What is remembered while the entries of one conversation are read in order. */
export interface Talk {
  readonly id: string;
  /** What answers without a model of their own were made with: the conversation's model. */
  readonly fallbackModel: string | undefined;
  /** The key that it stands under. */
  readonly fallbackSource: 'model_info' | 'model';
  /** Entries before this time came over from the conversation that was compacted; undefined where nothing forks. */
  readonly forkedAt: string | undefined;
  /** Whether this store goes on under a new conversation id when it compacts. */
  readonly forks: boolean;
  /** What came over from the conversation that was compacted. */
  retained: { readonly count: number; readonly last: string | undefined };
  readonly calls: Map<string, OpenCall>;
  /** How often each record without an id of its own came. */
  readonly counts: Map<string, number>;
  /** Whether prompts have times here; in the oldest conversations none has, and no answer has an id. */
  readonly hasTimes: boolean;
  /** A record came that has neither a time nor an id: only reading from the start numbers it. */
  hasUntimed: boolean;
  time: Time;
  model: string | undefined;
}

/** One entry being read. */
export interface EntryScope extends RowScope {
  readonly talk: Talk;
  /** When its user part happened, as good as that is known. */
  readonly time: Time;
  /** The user part's own time. */
  readonly ownTime: Time;
  /** Id of its answer; undefined for what the program said by itself. */
  readonly message: string | undefined;
  readonly index: number;
}

export interface TalkFacts {
  readonly id: string;
  readonly state: JsonObject;
  readonly forks: boolean;
}

export function createTalk({ id, state, forks }: TalkFacts): Talk {
  const info = asObject<{ model_id?: unknown }>(state['model_info']);
  return {
    id,
    fallbackModel: asText(info?.model_id) ?? asText(state['model']),
    fallbackSource: asText(info?.model_id) === undefined ? 'model' : 'model_info',
    forkedAt: forks ? (summaryTime(state['latest_summary']).utc ?? undefined) : undefined,
    forks,
    retained: { count: 0, last: undefined },
    calls: new Map(),
    counts: new Map(),
    hasTimes: hasTimes(state),
    hasUntimed: false,
    time: NO_TIME,
    model: undefined,
  };
}

function summaryTime(summary: unknown): Time {
  const meta = Array.isArray(summary) ? asObject(summary[1]) : undefined;
  return derived(timeOf(meta?.['request_start_timestamp_ms']));
}

function hasTimes(state: JsonObject): boolean {
  if (state['latest_summary']) return true;
  const history = Array.isArray(state['history']) ? state['history'] : [];
  return history.some((entry) => asText(asObject(asObject(entry)?.['user'])?.['timestamp']) !== undefined);
}

/** A name that is another one each time: `text`, `text:2`. */
export function nthName({ counts }: Talk, name: string, key: string): string {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count === 1 ? name : `${name}:${count}`;
}

/** Marks what goes through it as found in a copy only. */
export function recoveredEmit(emit: Emit): Emit {
  return (row) => emit({ ...row, recovered: true });
}

/** The one key of an enum value as its program writes it, and what stands under it. */
export function variantOf(value: unknown): { readonly name: string; readonly data: JsonObject } | undefined {
  const object = asObject(value);
  const [name] = Object.keys(object ?? {});
  if (!object || name === undefined) return undefined;
  return { name, data: asObject(object[name]) ?? {} };
}
