import type { Time } from '../shared/time.ts';
import type { Scope } from './rows.ts';

/** One thing that the agent did. */
export interface Action {
  readonly type: string;
  readonly id: string | undefined;
  readonly state: string | undefined;
  readonly emittedAt: unknown;
  readonly input: unknown;
  readonly output: unknown;
}

/** What a file of one execution holds, as far as rows need it. Every field is unknown until checked. */
export interface RawExecution {
  readonly executionId?: unknown;
  readonly chatSessionId?: unknown;
  readonly workflowType?: unknown;
  readonly status?: unknown;
  readonly startTime?: unknown;
  readonly endTime?: unknown;
  readonly autonomyMode?: unknown;
  readonly input?: unknown;
  readonly context?: unknown;
  readonly actions?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly usageSummary?: unknown;
}

/** One execution being read. */
export interface Execution {
  readonly id: string;
  readonly raw: RawExecution;
  readonly scope: Scope;
  readonly time: Time;
  readonly model: string | undefined;
  readonly actions: readonly Action[];
  /**
   * What the session beside it knows: nothing when there is none, the prompt, or also that this execution answers it.
   */
  readonly session: 'none' | 'prompt' | 'linked';
}
