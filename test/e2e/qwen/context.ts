/** What a step works with: its project, the program in it, and the notes that become its truth. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { seedProject, writeDeep } from '../shared/environment.ts';
import { StepError } from '../shared/errors.ts';
import type { FakeApi } from '../shared/fake-api.ts';
import type { InstalledCli } from '../shared/npm-program.ts';
import { type RunEnd, runHeadless } from '../shared/program.ts';
import type { Slots } from '../shared/slots.ts';
import { tagged } from '../shared/tag.ts';
import { openTerminal, type Terminal, type TerminalRun } from '../shared/terminal.ts';
import { createDialogue, type Dialogue } from './dialogue.ts';
import { type DiskFact, factsIn, type Outcome } from './disk-facts.ts';
import { cleanEnvironment } from './environment.ts';
import { SEEN_FILE } from './scenes.ts';
import type { StoreFile, StoreFiles } from './store-files.ts';
import type { Command, Prompt, StepTruth } from './truth.ts';

const STARTED = /Type your message|Trust folder/;
const START_MS = 25_000;
const MAX_STARTS = 4;

/** What all steps of a play share. */
export interface Stage {
  readonly home: string;
  readonly cli: InstalledCli;
  readonly api: FakeApi;
  readonly store: StoreFiles;
  readonly slots: Slots;
  /** Project of each mark: scenes name files by absolute paths. */
  readonly projects: Map<string, string>;
}

export interface RunOptions {
  readonly args?: readonly string[];
  /** 0 when left out: a run that ends otherwise did not play its scene. */
  readonly exitCode?: number | 'any';
  /** The run is interrupted, as by Ctrl+C, as soon as this is true. */
  readonly interruptWhen?: () => boolean;
}

export interface StepContext {
  readonly home: string;
  /** Absolute path of the step's project. */
  readonly project: string;
  /** Makes up a prompt and notes it. */
  prompt(scene: string, words: string): Prompt;
  /** One headless run with a prompt. */
  run(scene: string, words: string, options?: RunOptions): Promise<RunEnd>;
  /** One interactive run. */
  talk(body: (dialogue: Dialogue) => Promise<void>, args?: readonly string[]): Promise<void>;
  note(command: Command): void;
  /** Session files of the project and of its subagents, also those that are gone. */
  files(): readonly StoreFile[];
  /** What the files hold that bears a mark of the step. */
  facts(): readonly DiskFact[];
  truth(): StepTruth;
}

export function createStepContext(stage: Stage, step: { name: string; project: string }): StepContext {
  const startedMs = performance.now();
  const { home, api, cli } = stage;
  const project = seedProject(home, step.project);
  const env = cleanEnvironment(home, api.url);
  const folder = `.qwen/projects/${project.replace(/[^a-zA-Z0-9]/g, '-')}/`;
  const prompts: Prompt[] = [];
  const commands: Command[] = [];
  const context: StepContext = {
    home,
    project,
    prompt(scene, words) {
      const mark = `mk-${step.name}-${prompts.length + 1}-${randomBytes(3).toString('hex')}`;
      stage.projects.set(mark, project);
      writeDeep(join(project, SEEN_FILE), `// ${mark}\n`);
      const prompt = { mark, scene, text: tagged({ scene, mark }, words) };
      prompts.push(prompt);
      return prompt;
    },
    run: (scene, words, { args = [], exitCode = 0, ...options } = {}) =>
      stage.slots.use(async () => {
        const { text } = context.prompt(scene, words);
        const end = await runHeadless({ cli, cwd: project, env, args: [...args, '-p', text], ...options });
        if (exitCode === 'any' || end.code === exitCode) return end;
        throw new StepError(`a run ended with ${end.signal ?? end.code}: ${end.output.trim().slice(-600)}`);
      }),
    talk: (body, args = ['--approval-mode', 'default']) =>
      stage.slots.use(async () => {
        const terminal = await openStarted({ cli, cwd: project, env, args });
        try {
          await body(createDialogue(terminal, context));
        } finally {
          await terminal.close();
        }
      }),
    note: (command) => void commands.push(command),
    files: () => stage.store.all().filter(({ path }) => path.startsWith(folder)),
    facts: () => ownFacts(factsIn(context.files()), prompts),
    truth: () => {
      const facts = context.facts();
      return {
        step: step.name,
        project,
        prompts,
        commands,
        answers: prompts.flatMap((prompt) => answersTo(api, prompt)),
        outcomes: outcomesOf(facts),
        facts,
        ms: Math.round(performance.now() - startedMs),
      };
    },
  };
  return context;
}

/** Nothing was typed yet, so a program that starts for ever, as 0.24.4 does on a busy machine, can be opened again. */
async function openStarted(run: TerminalRun): Promise<Terminal> {
  for (let start = 1; start < MAX_STARTS; start++) {
    const terminal = await openTerminal(run);
    const isUp = await terminal.shows(STARTED, START_MS).then(
      () => true,
      () => false,
    );
    if (isUp || !/Initializing/.test(await terminal.screen())) return terminal;
    await terminal.close();
  }
  return openTerminal(run);
}

/** Sessions of the step; what stands in them without a mark, as the result of a command, belongs to it too. */
function ownFacts(facts: readonly DiskFact[], prompts: readonly Prompt[]): readonly DiskFact[] {
  const sessions = new Set(
    facts.filter(({ text }) => prompts.some(({ mark }) => text.includes(mark))).map(({ session }) => session),
  );
  return facts.filter(({ session }) => sessions.has(session));
}

function outcomesOf(facts: readonly DiskFact[]): Outcome[] {
  return facts.flatMap(({ outcome }) => outcome ?? []);
}

/** The program asks on its own behalf too, with the same conversation: such answers have the text of the last one. */
function answersTo(api: FakeApi, { mark, scene }: Prompt): StepTruth['answers'] {
  const texts = new Map<string, string>();
  for (const exchange of api.record.exchangesOf(mark)) {
    const { text } = exchange.sent;
    if (exchange.fate === 'answered' && exchange.scene === scene && text !== undefined && !texts.has(text))
      texts.set(text, exchange.model);
  }
  return [...texts].map(([text, model]) => ({ mark, text, model }));
}
