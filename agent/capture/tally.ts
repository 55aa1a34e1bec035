import type { Tally } from '../contract/lifecycle.ts';
import type { DraftRow } from '../contract/row.ts';

export const NO_ROWS: Tally = {
  rows: 0,
  prompts: 0,
  answers: 0,
  calls: 0,
  starts: 0,
  last: null,
  project: null,
};

const KINDS: Readonly<Partial<Record<DraftRow['turn_type'], 'prompts' | 'answers' | 'calls'>>> = {
  user: 'prompts',
  assistant: 'answers',
  tool_use: 'calls',
};

/** What a file gave, with one row more. */
export function tallied(tally: Tally, draft: DraftRow): Tally {
  const kind = KINDS[draft.turn_type];
  const at = draft.timestamp_source === 'file' ? null : (draft.timestamp_utc ?? null);
  return {
    ...tally,
    rows: tally.rows + 1,
    ...(kind && { [kind]: tally[kind] + 1 }),
    starts: tally.starts + (draft.event === 'session.start' ? 1 : 0),
    project: draft.project_path ?? tally.project,
    last: at !== null && (tally.last === null || at > tally.last) ? at : tally.last,
  };
}
