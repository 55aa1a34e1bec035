import Mocha from 'mocha';

/** The spec reporter, ended by one plain line that a CI can read: `N passed, N failed`. */
export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      process.stdout.write(
        `\n${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}\n`,
      );
    });
  }
}
