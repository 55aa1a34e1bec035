/** Steps of headless runs. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StepError } from '../shared/errors.ts';
import type { StepContext } from './context.ts';
import { copiesIn } from './disk-facts.ts';
import { PID_FILE } from './scenes.ts';
import { type Step, sceneStep, stepOf, YOLO } from './step.ts';

const SHOP = 'code/shop';
/** A space and capitals in the name, for the folder name that the program derives from it. */
const BILLING = 'code/Billing API';

export const headlessSteps: readonly Step[] = [
  sceneStep({ name: 'plain', project: SHOP }, 'greet me'),
  sceneStep({ name: 'think', project: SHOP }, 'think about a greeting first'),
  sceneStep({ name: 'unicode', project: SHOP }, 'answer to: Żółć "東京" \\ 🚀'),
  sceneStep({ name: 'read', project: SHOP, outcomes: ['success'] }, 'read the seen file'),
  sceneStep({ name: 'write', project: SHOP, outcomes: ['success', 'success'] }, 'keep a note', {
    args: ['--approval-mode', 'auto-edit'],
  }),
  sceneStep({ name: 'shell', project: SHOP, outcomes: ['error'] }, 'run something that fails', YOLO),
  sceneStep(
    { name: 'multi', project: SHOP, outcomes: ['success', 'error', 'success', 'success'] },
    'do three things at once',
    { args: ['-y'] },
  ),
  sceneStep({ name: 'deny', project: SHOP, outcomes: ['denied'] }, 'push the branch', YOLO),

  sceneStep({ name: 'denymixed', project: BILLING, outcomes: ['success', 'denied'] }, 'read and push', YOLO),
  sceneStep({ name: 'ask', project: BILLING, outcomes: ['unapproved'] }, 'make a file without leave'),
  sceneStep({ name: 'unknown', project: BILLING, outcomes: ['error'] }, 'use a tool that is not there'),
  sceneStep({ name: 'image', project: BILLING, outcomes: ['success'] }, 'look at the picture'),
  sceneStep({ name: 'failed', project: BILLING, scene: 'error400' }, 'fail at once', { exitCode: 1 }),
  sceneStep(
    { name: 'agent', project: 'code/agents', outcomes: ['success', 'success'] },
    'hand it to a helper',
    YOLO,
  ),
  stepOf({ name: 'sigint', project: 'code/agents', outcomes: ['cancelled'] }, interrupted),
  stepOf({ name: 'resume', project: 'code/resumed', outcomes: ['success', 'success'] }, async (context) => {
    await context.run('read', 'the first part');
    await context.run('read', 'the second part', { args: ['--continue'] });
    if (context.files().length !== 1) throw new StepError('the resumed session went into another file');
  }),
  stepOf({ name: 'fork', project: 'code/forked' }, async (context) => {
    await context.run('think', 'what both have');
    await context.run('plain', 'what the fork alone has', { args: ['--continue', '--fork-session'] });
    await context.run('plain', 'a fork of the fork', { args: ['--continue', '--fork-session'] });
    if (context.files().length !== 3 || copiesIn(context.files()) === 0)
      throw new StepError('the forks copied nothing');
  }),
];

async function interrupted(context: StepContext): Promise<void> {
  const pidFile = join(context.project, PID_FILE);
  rmSync(pidFile, { force: true });
  await context.run('slow', 'sleep until I stop you', {
    ...YOLO,
    exitCode: 'any',
    interruptWhen: () => existsSync(pidFile),
  });
  const pid = Number(readFileSync(pidFile, 'utf8'));
  try {
    if (pid > 1) process.kill(pid, 'SIGKILL');
  } catch {
    // Ended together with the program.
  }
}
