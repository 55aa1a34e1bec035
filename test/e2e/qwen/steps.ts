import type { Step } from './step.ts';
import { headlessSteps } from './steps-headless.ts';
import { terminalSteps } from './steps-terminal.ts';

/** Every step by name. */
export const STEPS: readonly Step[] = [...terminalSteps, ...headlessSteps];
