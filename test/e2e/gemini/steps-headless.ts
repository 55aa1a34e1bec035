/** Steps of one headless run each. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PID_FILE } from './scenes.ts';
import { type Step, sceneStep, stepOf, YOLO } from './step.ts';

const SHOP = 'code/shop';
/** A space and capitals in the name, for the folder name that the program derives from it. */
const BILLING = 'code/Billing API';
/** A second project of the same name elsewhere. */
const OTHER_SHOP = 'archive/shop';

export const headlessSteps: readonly Step[] = [
  sceneStep({ name: 'plain', project: SHOP }, 'greet me'),
  sceneStep({ name: 'think', project: SHOP }, 'think about a greeting first'),
  sceneStep({ name: 'unicode', project: SHOP }, 'answer to: Żółć "東京" \\ 🚀'),
  sceneStep({ name: 'list', project: SHOP, outcomes: ['success'] }, 'what does src hold'),
  sceneStep({ name: 'read', project: SHOP, outcomes: ['success'] }, 'read the seen file'),
  sceneStep({ name: 'write', project: SHOP, outcomes: ['success', 'success'] }, 'keep a note', YOLO),
  sceneStep({ name: 'shell', project: SHOP, outcomes: ['success'] }, 'run something that fails', YOLO),
  sceneStep(
    { name: 'multi', project: SHOP, outcomes: ['success', 'success', 'error', 'success', 'success'] },
    'do four things at once',
    YOLO,
  ),
  sceneStep({ name: 'deny', project: SHOP, outcomes: ['denied'] }, 'push the branch', YOLO),

  sceneStep({ name: 'denymixed', project: BILLING, outcomes: ['success', 'denied'] }, 'read and push', YOLO),
  sceneStep({ name: 'bigout', project: BILLING, outcomes: ['success'] }, 'print a great deal', YOLO),
  sceneStep({ name: 'sameid', project: BILLING, outcomes: ['success', 'success'] }, 'read two files', YOLO),
  sceneStep({ name: 'unknown', project: BILLING, outcomes: ['error'] }, 'use a tool that is not there', YOLO),
  sceneStep({ name: 'badargs', project: BILLING, outcomes: ['error'] }, 'get the arguments wrong', YOLO),
  sceneStep({ name: 'image', project: BILLING, outcomes: ['success'] }, 'look at the picture', YOLO),
  sceneStep({ name: 'ask', project: BILLING, outcomes: ['error'] }, 'make a file without leave'),
  sceneStep(
    { name: 'deny-unasked', project: BILLING, scene: 'deny', outcomes: ['error'] },
    'push without leave',
  ),
  sceneStep({ name: 'safety', project: BILLING }, 'say something blocked'),

  sceneStep(
    { name: 'agent', project: OTHER_SHOP, outcomes: ['success', 'success', 'unseen'] },
    'hand it to a helper',
    YOLO,
  ),
  stepOf({ name: 'sigint', project: OTHER_SHOP, outcomes: ['unseen'] }, async (context) => {
    const pidFile = join(context.project, PID_FILE);
    rmSync(pidFile, { force: true });
    await context.run('slow', 'sleep until I stop you', {
      ...YOLO,
      exitCode: 'any',
      interruptWhen: () => existsSync(pidFile),
    });
    endProcessIn(pidFile);
  }),

  sceneStep({ name: 'failed', project: 'code/failed', scene: 'error400' }, 'fail at once', { exitCode: 1 }),
  sceneStep({ name: 'nofinish', project: 'code/cut' }, 'stop in the middle'),
];

/** The scene's own sleeping command, which may outlive an interrupted program. */
function endProcessIn(pidFile: string): void {
  const pid = Number(readFileSync(pidFile, 'utf8'));
  try {
    if (pid > 1) process.kill(pid, 'SIGKILL');
  } catch {
    // Ended together with the program.
  }
}
