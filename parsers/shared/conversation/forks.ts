import { hash } from 'node:crypto';
import type { DraftRow, Emit } from '../../../agent/contract/row.ts';
import { addEvent, fact, type RowScope } from '../kiro/rows.ts';
import type { Time } from '../time.ts';
import type { Talk } from './state.ts';

/**
 * Compacting goes on under a new conversation id and takes entries along: what is from before the summary belongs to the
 * older conversation, and counts only where that one is nowhere to be found.
 */
export function isRetained({ forkedAt }: Talk, { utc }: Time): boolean {
  return forkedAt !== undefined && utc !== null && utc < forkedAt;
}

/** Rows whose id holds the conversation's have a name without it, under which a fork has them too. */
export function forkEmit(emit: Emit, { session, retained }: { session: string; retained: boolean }): Emit {
  return (row) => {
    if (row.sessionKey !== session) emit(row);
    else if (retained) emit({ ...row, copyOf: entryName(row) });
    else emit({ ...row, claims: [...(row.claims ?? []), entryName(row)] });
  };
}

function entryName({ record, part, content, text, timestamp_utc }: DraftRow): string {
  const facts = [record, part, content ?? text, timestamp_utc ?? null];
  return `entry ${hash('sha256', JSON.stringify(facts), 'base64url')}`;
}

/** The end of another conversation of the table. */
export interface Neighbour {
  readonly id: string;
  /** Id of its last answer: compacting ends a conversation there. */
  readonly last: string | undefined;
}

/** Says which conversation a fork goes on from: the one that ends with the last answer that the fork took along. */
export function tellFork(scope: RowScope, talk: Talk, neighbours: () => Iterable<Neighbour>): void {
  const { count, last } = talk.retained;
  if (talk.forkedAt === undefined || last === undefined) return;
  const parent = endingWith(last, talk.id, neighbours());
  if (parent === undefined) return;
  addEvent(scope, 'session.origin', {
    record: 'origin',
    content: '',
    text: `session origin: compaction of ${parent}`,
    time: { utc: talk.forkedAt, source: 'derived' },
    attributes: {
      created_reason: 'compaction',
      retained_entries: count,
      ...fact('parent_session_id', parent),
    },
  });
}

function endingWith(last: string, fork: string, neighbours: Iterable<Neighbour>): string | undefined {
  for (const { id, last: end } of neighbours) if (end === last && id !== fork) return id;
  return undefined;
}
