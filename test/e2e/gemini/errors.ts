import { EnvironmentError, HoldfastError } from '../../../agent/contract/errors.ts';

/** The real Gemini CLI could not be installed: an end-to-end run must fail on it, never skip. */
export class GeminiInstallError extends EnvironmentError {
  constructor(message: string, hint: string, cause?: unknown) {
    super('GEMINI_CLI_INSTALL', message, { hint, cause });
  }
}

/** The program ran, but what the step is named after did not happen. */
export class StepError extends HoldfastError {
  constructor(message: string, cause?: unknown) {
    super('GEMINI_STEP', message, {
      hint: 'Play this step alone with test/e2e/gemini/try.ts and look at the files it leaves.',
      cause,
    });
  }
}
