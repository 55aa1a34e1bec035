import { asList, asObject, asText } from '../fields.ts';
import type { RowScope } from '../kiro/rows.ts';
import { derived, timeOf } from '../kiro/time.ts';
import type { Time } from '../time.ts';
import { readAnswer } from './answer.ts';
import { forkEmit, isRetained } from './forks.ts';
import { noteModel } from './model.ts';
import { type EntryScope, type Talk, variantOf } from './state.ts';
import { readSummary } from './summary.ts';
import { readUser } from './user.ts';

interface RawEntry {
  readonly user?: unknown;
  readonly assistant?: unknown;
  readonly request_metadata?: unknown;
}

interface RawMetadata {
  readonly message_id?: unknown;
  readonly request_start_timestamp_ms?: unknown;
  readonly stream_end_timestamp_ms?: unknown;
  readonly model_id?: unknown;
  readonly message_meta_tags?: unknown;
}

export interface EntryPlace {
  readonly scope: RowScope;
  readonly talk: Talk;
  /** Place in the history; only the first one's is of meaning. */
  readonly index: number;
  readonly isTangent: boolean;
}

/** One turn of the history: what came from the user's side, and the answer. False when it is none. */
export function readEntry({ scope, talk, index, isTangent }: EntryPlace, value: unknown): boolean {
  const raw = asObject<RawEntry>(value);
  const user = asObject(raw?.user);
  if (!raw || !user) return false;
  const meta = asObject<RawMetadata>(raw.request_metadata) ?? {};
  const answer = variantOf(raw.assistant);
  const ownTime = timeOf(user['timestamp']);
  const start = derived(timeOf(meta.request_start_timestamp_ms));
  const time = firstKnown(ownTime, start, derived(talk.time));
  const tags = asList(meta.message_meta_tags);
  const retained = isRetained(talk, time);
  const message = asText(answer?.data['message_id']) ?? asText(meta.message_id);
  if (retained) talk.retained = { count: talk.retained.count + 1, last: message ?? talk.retained.last };
  const here: EntryScope = {
    ...scope,
    ...(talk.forks && { emit: forkEmit(scope.emit, { session: talk.id, retained }) }),
    shared: { ...scope.shared, ...((isTangent || tags.includes('TangentMode')) && { tangent: true }) },
    talk,
    time,
    ownTime,
    message,
    index,
  };
  const model = asText(meta.model_id);
  if (!retained) noteModel(here, model);
  readUser(here, user);
  const end = firstKnown(timeOf(meta.stream_end_timestamp_ms), start, derived(time));
  if (tags.includes('Compact'))
    readSummary(here, [answer?.data['content'], raw.request_metadata], talk.forks);
  if (answer) readAnswer(here, answer.data, { time: end, model: model ?? talk.fallbackModel });
  talk.time = end;
  return true;
}

function firstKnown(...times: readonly Time[]): Time {
  return times.find(({ utc }) => utc !== null) ?? { utc: null, source: 'none' };
}
