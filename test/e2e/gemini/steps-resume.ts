/** Steps of more than one run in a session. */

import { StepError } from '../shared/errors.ts';
import { headersIn } from './chat-records.ts';
import { type ChatFile, minuteIn } from './chats.ts';
import type { StepContext } from './context.ts';
import { earlyInMinute, laterThan, leftOfMinute } from './minutes.ts';
import { type Step, stepOf } from './step.ts';

const RESUME = { args: ['--resume', 'latest'] };
const TWO_RUNS_MS = 14_000;
const TRIES = 4;

export const resumeSteps: readonly Step[] = [
  stepOf({ name: 'resume-now', project: 'code/resumed-now', outcomes: 'any' }, resumeInOneMinute),
  stepOf({ name: 'resume-later', project: 'code/resumed-later', outcomes: ['success'] }, async (context) => {
    await resumeInLaterMinute(context);
    if (!stubOf(context)) throw new StepError('resuming in a later minute left no stub file');
  }),
  stepOf({ name: 'summary', project: 'code/summary', outcomes: ['success'] }, async (context) => {
    await context.run('list', 'something worth a summary');
    await context.start('--list-sessions');
  }),
];

/** Leaves the whole conversation in the old file, and beside it a file with a header and nothing said. */
export async function resumeInLaterMinute(context: StepContext): Promise<void> {
  await context.run('think', 'the first part');
  await laterThan(minuteIn(context.files().at(-1)?.path ?? '') ?? '');
  await context.run('list', 'the second part', RESUME);
}

/** The newer one of two files of one session. */
export function stubOf(context: StepContext): ChatFile | undefined {
  const [first, second] = context.files();
  return first && second && idEnd(first) === idEnd(second) ? second : undefined;
}

/** A machine that is too slow for the minute gets another minute, and another conversation. */
async function resumeInOneMinute(context: StepContext): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    await earlyInMinute(TWO_RUNS_MS);
    if (await context.together(() => resumeNow(context))) return;
  }
  throw new StepError('no resumed session got its second header within its minute');
}

async function resumeNow(context: StepContext): Promise<boolean> {
  if (leftOfMinute() < TWO_RUNS_MS) return false;
  await context.run('think', 'the first part');
  await context.run('list', 'the second part', RESUME);
  return context.files().some((file) => headersIn(file) === 2);
}

/** The eight characters of the session id in a file name. */
function idEnd({ path }: ChatFile): string {
  return path.slice(-'12345678.jsonl'.length);
}
