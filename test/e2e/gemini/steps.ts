/** Every step by name. Those that wait for another minute come first, so that the others fill the wait. */
import type { Step } from './step.ts';
import { deletionSteps } from './steps-deletion.ts';
import { headlessSteps } from './steps-headless.ts';
import { resumeSteps } from './steps-resume.ts';
import { terminalSteps } from './steps-terminal.ts';

export const STEPS: readonly Step[] = [...resumeSteps, ...deletionSteps, ...headlessSteps, ...terminalSteps];
export const HEADLESS_STEPS = namesOf(STEPS.filter(({ needsTerminal }) => !needsTerminal));

function namesOf(steps: readonly Step[]): readonly string[] {
  return steps.map(({ name }) => name);
}
