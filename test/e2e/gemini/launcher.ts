import type { FakeApi } from '../shared/fake-api.ts';
import type { InstalledCli } from '../shared/npm-program.ts';
import { type RunEnd, runHeadless } from '../shared/program.ts';
import type { Slots } from '../shared/slots.ts';
import { openTerminal, type Terminal } from '../shared/terminal.ts';
import { cleanEnvironment } from './environment.ts';

/** Where the programs of a step run. */
export interface Ground {
  readonly home: string;
  readonly project: string;
  readonly cli: InstalledCli;
  readonly api: FakeApi;
  readonly headlessSlots: Slots;
  readonly terminalSlots: Slots;
}

export interface Launch {
  readonly args: readonly string[];
  readonly interruptWhen?: (() => boolean) | undefined;
  /** Another home to run in; the step's own when left out. */
  readonly home?: string | undefined;
  /** Goes on beside the run. */
  readonly meanwhile?: (() => Promise<void>) | undefined;
}

export interface Launcher {
  /** Every headless run so far. */
  readonly runs: readonly RunEnd[];
  run(launch: Launch): Promise<RunEnd>;
  /** Lets the runs inside follow each other at once, without waiting for other projects. */
  together<T>(task: () => Promise<T>): Promise<T>;
  /** The terminal is closed in the end, whatever happens. */
  talk(args: readonly string[], body: (terminal: Terminal) => Promise<void>): Promise<void>;
}

export function createLauncher({ home, project, cli, api, headlessSlots, terminalSlots }: Ground): Launcher {
  const runs: RunEnd[] = [];
  let holdsSlot = false;
  const inSlot = <T>(task: () => Promise<T>) => (holdsSlot ? task() : headlessSlots.use(task));
  return {
    runs,
    run: ({ args, interruptWhen, meanwhile, home: other = home }) =>
      inSlot(async () => {
        const env = { ...cleanEnvironment(other, api.url), GEMINI_CLI_NO_RELAUNCH: 'true' };
        const run = { cli, cwd: project, env, args, ...(interruptWhen && { interruptWhen }) };
        const [end] = await Promise.all([runHeadless(run), meanwhile?.()]);
        runs.push(end);
        return end;
      }),
    together: (task) =>
      headlessSlots.use(() => {
        holdsSlot = true;
        return task().finally(() => {
          holdsSlot = false;
        });
      }),
    talk: (args, body) =>
      terminalSlots.use(async () => {
        const terminal = await openTerminal({
          cli,
          cwd: project,
          env: cleanEnvironment(home, api.url),
          args,
        });
        try {
          await body(terminal);
        } finally {
          await terminal.close();
        }
      }),
  };
}
