/** Plays steps in a home: those of one project in order, projects beside each other. */
import { realpathSync } from 'node:fs';
import { messageOf } from '../../../agent/contract/errors.ts';
import { StepError } from '../shared/errors.ts';
import { startFakeApi } from '../shared/fake-api.ts';
import { createSlots } from '../shared/slots.ts';
import { whyNoTerminal } from '../shared/terminal.ts';
import { createStepContext, type Stage } from './context.ts';
import { seedHome } from './environment.ts';
import { installQwenCode } from './install.ts';
import { createScenes } from './scenes.ts';
import type { Step } from './step.ts';
import { STEPS } from './steps.ts';
import { type StoreFile, watchStore } from './store-files.ts';
import type { StepTruth } from './truth.ts';

export interface Play {
  /** Made and seeded when it is new. */
  readonly home: string;
  /** Step names; all when left out. */
  readonly names?: readonly string[] | undefined;
  readonly onStep?: (truth: StepTruth) => void;
}

export interface Played {
  readonly truths: readonly StepTruth[];
  /** Every session file there was. */
  readonly files: readonly StoreFile[];
  /** Why the steps at a terminal were left out, if they were. */
  readonly skipped: string | undefined;
}

/** More than a compression needs to be worth it: the program compares token counts. */
const PROMPT_TOKENS = 9_000;

/** Fails when a step fails, after all others that can still be played. */
export async function playSteps({ home: place, names, onStep }: Play): Promise<Played> {
  const chosen = STEPS.filter(({ name }) => names?.includes(name) ?? true);
  const skipped = chosen.some(({ needsTerminal }) => needsTerminal) ? whyNoTerminal() : undefined;
  const playable = chosen.filter(({ needsTerminal }) => skipped === undefined || !needsTerminal);
  const cli = await installQwenCode();
  seedHome(place);
  // The program knows its projects by their real paths.
  const home = realpathSync(place);
  const projects = new Map<string, string>();
  const scenes = createScenes((mark) => projects.get(mark) ?? home);
  const api = await startFakeApi({ scenes, promptTokens: PROMPT_TOKENS });
  const store = watchStore(home);
  const stage = { home, cli, api, store, projects, slots: createSlots(2) };
  try {
    const truths: StepTruth[] = [];
    for (const late of [false, true]) {
      const round = playable.filter(({ changesHome }) => changesHome === late);
      await playRound(stage, round, (truth) => {
        truths.push(truth);
        onStep?.(truth);
      });
    }
    return { truths, files: store.all(), skipped };
  } finally {
    store.stop();
    await api.close();
  }
}

/** A lane is a project. Lanes run beside each other; a lane ends with its first step that fails. */
async function playRound(
  stage: Stage,
  steps: readonly Step[],
  onStep: (truth: StepTruth) => void,
): Promise<void> {
  const lanes = [...Map.groupBy(steps, ({ project }) => project).values()];
  const ends = await Promise.allSettled(
    lanes.map(async (lane) => {
      for (const step of lane) onStep(await play(stage, step));
    }),
  );
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  if (failures.length > 1) throw new AggregateError(failures, failures.map(messageOf).join('\n'));
  if (failures.length === 1) throw failures[0];
}

async function play(stage: Stage, step: Step): Promise<StepTruth> {
  try {
    return await step.play(createStepContext(stage, step));
  } catch (error) {
    throw new StepError(`${step.name}: ${messageOf(error)}`, error);
  }
}
