import { HoldfastError } from '../../../agent/contract/errors.ts';

/** The program ran, but what the step is named after did not happen. */
export class StepError extends HoldfastError {
  constructor(message: string, cause?: unknown) {
    super('E2E_STEP', message, {
      hint: 'Play this step alone with try.ts of its program and look at the files it leaves.',
      cause,
    });
  }
}
