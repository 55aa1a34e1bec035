/** Plays steps in a home: those of one project in order, projects beside each other. */
import { realpathSync } from 'node:fs';
import { messageOf, UsageError } from '../../../agent/contract/errors.ts';
import { StepError } from '../shared/errors.ts';
import { startFakeApi } from '../shared/fake-api.ts';
import { createSlots } from '../shared/slots.ts';
import { whyNoTerminal } from '../shared/terminal.ts';
import { watchChats } from './chats.ts';
import { createStepContext, type Stage } from './context.ts';
import { seedHome } from './environment.ts';
import { installGeminiCli } from './install.ts';
import { SCENES } from './scenes.ts';
import type { Step } from './step.ts';
import { HEADLESS_STEPS, STEPS } from './steps.ts';
import type { StepTruth } from './truth.ts';

export interface Play {
  /** Made and seeded when it is new. A step looks at all sessions of its project: play it once in a home. */
  readonly home: string;
  /** Step names; all headless ones when left out. */
  readonly names?: readonly string[];
  readonly onStep?: (truth: StepTruth) => void;
  /** Before a start of the program that deletes these files. */
  readonly beforeDeletion?: Stage['beforeDeletion'];
}

export interface Played {
  readonly truths: readonly StepTruth[];
  /** Steps that this machine cannot play, with the reason. */
  readonly skipped: readonly { readonly step: string; readonly reason: string }[];
}

/** Fails when a step fails, after all others that can still be played. */
export async function playSteps({
  home: place,
  names = HEADLESS_STEPS,
  onStep,
  beforeDeletion,
}: Play): Promise<Played> {
  const chosen = names.map(stepNamed);
  const reason = chosen.some(({ needsTerminal }) => needsTerminal) ? whyNoTerminal() : undefined;
  const playable = chosen.filter(({ needsTerminal }) => reason === undefined || !needsTerminal);
  const cli = await installGeminiCli();
  seedHome(place);
  // The program knows its projects by their real paths.
  const home = realpathSync(place);
  const api = await startFakeApi({ scenes: SCENES });
  const chats = watchChats(home);
  const slots = { headlessSlots: createSlots(2), terminalSlots: createSlots(2) };
  try {
    const truths = await playLanes({ home, cli, api, chats, beforeDeletion, ...slots }, playable, onStep);
    const skipped = chosen
      .filter((step) => !playable.includes(step))
      .map(({ name }) => ({ step: name, reason: reason ?? '' }));
    return { truths, skipped };
  } finally {
    chats.stop();
    await api.close();
  }
}

function stepNamed(name: string): Step {
  const step = STEPS.find((some) => some.name === name);
  if (step) return step;
  throw new UsageError('NO_SUCH_STEP', `there is no step "${name}"`, {
    hint: STEPS.map((some) => some.name).join(', '),
  });
}

/** A lane is a project. Lanes run beside each other; a lane ends with its first step that fails. */
async function playLanes(stage: Stage, steps: readonly Step[], onStep: Play['onStep']): Promise<StepTruth[]> {
  const truths: StepTruth[] = [];
  const [last, first] = [true, false].map((late) => steps.filter(({ changesHome }) => changesHome === late));
  for (const round of [first ?? [], last ?? []]) {
    const lanes = [...Map.groupBy(round, ({ project }) => project).values()];
    const ends = await Promise.allSettled(
      lanes.map(async (lane) => {
        for (const step of lane) {
          const truth = await play(stage, step);
          truths.push(truth);
          onStep?.(truth);
        }
      }),
    );
    failWith(ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])));
  }
  return truths;
}

async function play(stage: Stage, step: Step): Promise<StepTruth> {
  try {
    return await step.play(createStepContext(stage, step));
  } catch (error) {
    throw new StepError(`${step.name}: ${messageOf(error)}`, error);
  }
}

function failWith(failures: readonly unknown[]): void {
  if (failures.length > 1) throw new AggregateError(failures, failures.map(messageOf).join('\n'));
  if (failures.length === 1) throw failures[0];
}
