import type { Row } from '../../agent/contract/row.ts';
import type { ListedRow } from './case-form.ts';
import { describeListed, describeRow } from './describe.ts';
import { isConversation, type MatchResult, type Received } from './match.ts';

/** What one run gave. */
export interface RunRows {
  readonly received: readonly Received[];
  readonly result: MatchResult;
}

/**
 * Listed rows that both runs gave under different ids. Equal listed rows may have swapped their places, so
 * an id counts as different only when the other run does not have it at all. What the state of a settings
 * file is, a cold run tells as it is found and a warm one as it came about: such rows are no conversation.
 */
export function differentIds(
  listed: readonly ListedRow[],
  { warm, cold }: { readonly warm: RunRows; readonly cold: RunRows },
  which: 'all' | 'conversation',
): string[] {
  const warmIds = idsOf(warm.received);
  return listed.flatMap((row, index) => {
    const before = warm.result.matched.get(index) ?? [];
    const after = cold.result.matched.get(index) ?? [];
    if (before.length === 0 || row.when === 'cold') return [];
    return after
      .filter((found) => (which === 'all' || isConversation(found)) && !warmIds.has(found.row_id))
      .map((found) => `another row id when cold (${found.row_id}): ${describeListed(row, index)}`);
  });
}

/** Conversation rows that only one of the runs gave, for cases that promise the same set of ids. */
export function onlyInOne(warm: RunRows, cold: RunRows): string[] {
  return [
    ...missingFrom(warm.received, cold.received).map((row) => `only when warm: ${describeRow(row)}`),
    ...missingFrom(cold.received, warm.received).map((row) => `only when cold: ${describeRow(row)}`),
  ];
}

function missingFrom(one: readonly Received[], other: readonly Received[]): Row[] {
  const ids = idsOf(other);
  return one.map(({ row }) => row).filter((row) => isConversation(row) && !ids.has(row.row_id));
}

function idsOf(received: readonly Received[]): Set<string> {
  return new Set(received.map(({ row }) => row.row_id));
}
