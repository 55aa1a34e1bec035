import type { DeletionCause } from '../../../agent/contract/lifecycle.ts';
import { StepError } from '../shared/errors.ts';
import type { RunOptions, StepContext } from './context.ts';
import type { Outcome, StepTruth } from './truth.ts';

export interface Step {
  readonly name: string;
  /** Home-relative. Steps of one project are played one after the other: every start cleans up in it. */
  readonly project: string;
  readonly needsTerminal: boolean;
  /** Leaves something for the whole home that other steps would feel; played after all others. */
  readonly changesHome: boolean;
  /** Why the program deletes files of this project, one cause a file, in alphabetical order. */
  readonly deletions: readonly DeletionCause[];
  play(context: StepContext): Promise<StepTruth>;
}

export const YOLO: RunOptions = { args: ['--approval-mode=yolo'] };

export interface StepPlan {
  readonly name: string;
  readonly project: string;
  readonly needsTerminal?: boolean;
  /** What must become of the step's tool calls, in order: a step that plays something else is no step. */
  readonly outcomes?: readonly Outcome[] | 'any';
  readonly deletions?: readonly DeletionCause[];
}

/** A step whose body only acts; its truth is drawn up when it is done. */
export function stepOf(
  { outcomes = [], ...plan }: StepPlan,
  body: (context: StepContext) => Promise<unknown>,
): Step {
  return {
    needsTerminal: false,
    changesHome: false,
    deletions: [],
    ...plan,
    async play(context) {
      await body(context);
      const truth = context.truth();
      const found = truth.calls.map(({ outcome }) => outcome).join(' ');
      if (outcomes !== 'any' && found !== outcomes.join(' '))
        throw new StepError(`tool calls ended in [${found}], not in [${outcomes.join(' ')}]`);
      return truth;
    },
  };
}

/** A step of one headless run: the scene is called like the step. */
export function sceneStep(
  plan: StepPlan & { readonly scene?: string },
  words: string,
  options?: RunOptions,
): Step {
  return stepOf(plan, (context) => context.run(plan.scene ?? plan.name, words, options));
}
