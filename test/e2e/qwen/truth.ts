import type { DiskFact, Outcome } from './disk-facts.ts';

/** What was typed, or given on a command line. */
export interface Prompt {
  readonly mark: string;
  readonly scene: string;
  readonly text: string;
}

/** Something typed that is no prompt: "/model x", or in shell mode a command. */
export interface Command {
  readonly kind: 'slash' | 'shell';
  readonly text: string;
}

/** What a step did, and what lay on disk when it was over. */
export interface StepTruth {
  readonly step: string;
  /** Absolute project path. */
  readonly project: string;
  readonly prompts: readonly Prompt[];
  readonly commands: readonly Command[];
  /** Answers that crossed the wire to their end, in the step's own conversation. */
  readonly answers: readonly { readonly mark: string; readonly text: string; readonly model: string }[];
  /** What became of the step's calls, in the order of the files. */
  readonly outcomes: readonly Outcome[];
  /** What the files hold that bears a mark of the step. */
  readonly facts: readonly DiskFact[];
  readonly ms: number;
}
