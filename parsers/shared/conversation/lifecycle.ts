import { addEvent, fact, type RowScope } from '../kiro/rows.ts';
import { NO_TIME } from '../time.ts';
import type { TalkMemory } from './memory.ts';

/** What a comparison with the state before tells: another conversation in the slot, or fewer turns in the same one. */
export function noteChange(scope: RowScope, before: TalkMemory | undefined, now: Now): void {
  if (!before) return;
  if (before.id !== scope.session) noteReplaced(scope, before);
  const had = before.id === scope.session ? before.count : before.others[scope.session];
  if (had !== undefined && now.count < had) noteShrunk(scope, had, now);
}

export interface Now {
  readonly count: number;
  /** Id of the last answer: where the history stands now. */
  readonly last: string | undefined;
}

/** One row a directory: the conversation that stood there is not in the store any more, and keeps its rows. */
function noteReplaced(scope: RowScope, before: TalkMemory): void {
  addEvent(scope, 'session.history_replaced', {
    record: `slot ${before.id}`,
    content: '',
    text: `conversation replaced in the store: ${before.id} -> ${scope.session}`,
    time: NO_TIME,
    attributes: { kind: 'slot_replaced', old_session: before.id, old_entries: before.count },
  });
}

/** Cleared, compacted, trimmed, restored from a checkpoint, or left from a side talk: the store does not say which. */
function noteShrunk(scope: RowScope, had: number, { count, last }: Now): void {
  addEvent(scope, 'session.history_replaced', {
    record: `shrunk ${last ?? '-'}`,
    content: `${had} ${count}`,
    text: `history shrunk: ${had} -> ${count} entries`,
    time: NO_TIME,
    attributes: {
      kind: 'history_shrunk',
      old_entries: had,
      entries: count,
      ...fact('last_message', last),
    },
  });
}
