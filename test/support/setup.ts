/** Root hooks of every test run: no test may leave a temporary folder or a child process behind. */
import { cleanUp } from './temp.ts';

export const mochaHooks = {
  async afterEach(): Promise<void> {
    await cleanUp();
  },
};
