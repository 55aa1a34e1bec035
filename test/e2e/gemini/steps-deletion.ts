/** Steps in which the program itself deletes a session: at a start in the same project, whatever runs there. */

import { StepError } from '../shared/errors.ts';
import { untilSo } from '../shared/until-so.ts';
import type { ChatFile } from './chats.ts';
import type { StepContext } from './context.ts';
import { putExpiredSessions } from './expired.ts';
import { type Step, stepOf, YOLO } from './step.ts';
import { resumeInLaterMinute, stubOf } from './steps-resume.ts';

/** How long a start goes on after the deletion, so that it also gets to what belongs to the session. */
const AFTER_MS = 700;

export const deletionSteps: readonly Step[] = [
  stepOf(
    { name: 'delete-failed', project: 'code/failed-twice', deletions: ['unresumable'] },
    async (context) => {
      await context.run('error400', 'fail, and be cleared away', { exitCode: 1 });
      await startThatDeletes(context, context.files());
    },
  ),
  stepOf(
    {
      name: 'delete-resumed',
      project: 'code/poisoned',
      outcomes: ['success'],
      deletions: ['shared_id', 'unresumable'],
    },
    async (context) => {
      await resumeInLaterMinute(context);
      if (!stubOf(context)) throw new StepError('there is no stub that could take the transcript with it');
      await startThatDeletes(context, context.files());
    },
  ),
  stepOf(
    {
      name: 'delete-command',
      project: 'code/unwanted',
      outcomes: ['success', 'success', 'unseen'],
      deletions: ['delete_command', 'delete_command'],
    },
    async (context) => {
      await context.run('agent', 'an errand that nobody shall see', YOLO);
      await context.run('plain', 'one that stays');
      await context.start('--delete-session', '1');
    },
  ),
  stepOf(
    {
      name: 'delete-expired',
      project: 'code/expired',
      outcomes: ['success', 'success', 'unseen', 'success'],
      deletions: ['expired', 'expired', 'expired'],
    },
    async (context) => {
      await context.run('plain', 'a session of today that stays');
      const before = context.files();
      await putExpiredSessions(context);
      await startThatDeletes(context, newSince(context, before));
    },
  ),
];

/** A start whose answer is held back until the files are gone: the cleaning runs beside the conversation. */
async function startThatDeletes(context: StepContext, doomed: readonly ChatFile[]): Promise<void> {
  if (doomed.length === 0) throw new StepError('there is no session file that a start could delete');
  await context.aboutToDelete(doomed);
  await context.run('late', 'the start that clears away', {
    meanwhile: async (mark) => {
      try {
        await untilSo('the program deletes the session', () =>
          doomed.every(({ goneMs }) => goneMs !== undefined),
        );
        await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
      } finally {
        context.api.release(mark);
      }
    },
  });
}

function newSince(context: StepContext, before: readonly ChatFile[]): readonly ChatFile[] {
  return context.files().filter((file) => !before.includes(file) && file.kind === 'session');
}
