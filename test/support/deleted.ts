import type { DeletedFile, Tally } from '../../agent/contract/lifecycle.ts';

/** A session of two days with a prompt, an answer and a call. */
export const TALLY: Tally = {
  rows: 5,
  prompts: 1,
  answers: 1,
  calls: 1,
  starts: 1,
  last: '2026-11-28T10:00:00.000Z',
  project: null,
};

export function deleted(path: string, facts: Partial<DeletedFile> = {}): DeletedFile {
  return {
    path,
    ageDays: 2,
    tally: TALLY,
    retention: { days: 30, count: null },
    alongWith: 'nothing',
    ...facts,
  };
}
