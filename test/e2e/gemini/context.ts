/** What a step works with: its project, the program in it, and the notes that become its truth. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedProject, writeDeep } from '../shared/environment.ts';
import { StepError } from '../shared/errors.ts';
import type { FakeApi } from '../shared/fake-api.ts';
import type { RunEnd } from '../shared/program.ts';
import { tagged } from '../shared/tag.ts';
import type { ChatFile, ChatLog } from './chats.ts';
import { createDialogue, type Dialogue } from './dialogue.ts';
import { createLauncher, type Ground, type Launch, type Launcher } from './launcher.ts';
import { SEEN_FILE } from './scenes.ts';
import { type Command, type Deed, fileTruth, type StepTruth, truthOf } from './truth.ts';
import { loggedSessions } from './typed-log.ts';

/** What all steps of a play share. */
export interface Stage extends Omit<Ground, 'project'> {
  readonly chats: ChatLog;
  readonly beforeDeletion?: ((doomed: readonly ChatFile[]) => Promise<void>) | undefined;
}

export interface RunOptions extends Omit<Partial<Launch>, 'meanwhile'> {
  /** Goes on beside the run, with the mark of its prompt. */
  readonly meanwhile?: (mark: string) => Promise<void>;
  /** 0 when left out: a run that ends otherwise did not play its scene. */
  readonly exitCode?: number | 'any';
}

export interface StepContext {
  readonly home: string;
  /** Absolute path of the step's project. */
  readonly project: string;
  readonly api: FakeApi;
  readonly together: Launcher['together'];
  /** Makes up a prompt and notes it; what becomes of it is read off the API's record. */
  prompt(scene: string, words: string, by?: Deed['by']): Deed;
  /** One headless run with a prompt. */
  run(scene: string, words: string, options?: RunOptions): Promise<RunEnd>;
  /** One run with these arguments and no prompt. */
  start(...args: string[]): Promise<RunEnd>;
  /** One interactive run. */
  talk(body: (dialogue: Dialogue) => Promise<void>, args?: readonly string[]): Promise<void>;
  note(command: Command): void;
  /** The next start of the program deletes these files. */
  aboutToDelete(doomed: readonly ChatFile[]): Promise<void>;
  /** Session files of the project, oldest first, also those that are gone. */
  files(): readonly ChatFile[];
  slug(): string;
  truth(): StepTruth;
}

export function createStepContext(stage: Stage, step: { name: string; project: string }): StepContext {
  const startedMs = performance.now();
  const { home, api } = stage;
  const project = seedProject(home, step.project);
  const launcher = createLauncher({ ...stage, project });
  const deeds: Deed[] = [];
  const commands: Command[] = [];
  const context: StepContext = {
    home,
    project,
    api,
    together: launcher.together,
    prompt(scene, words, by = 'keyboard') {
      const mark = `mk-${step.name}-${deeds.length + 1}-${randomBytes(3).toString('hex')}`;
      writeDeep(join(project, SEEN_FILE), `// ${mark}\n`);
      const deed: Deed = { mark, scene, text: tagged({ scene, mark }, words), by };
      deeds.push(deed);
      return deed;
    },
    async run(scene, words, { args = [], meanwhile, exitCode = 0, ...options } = {}) {
      const { mark, text } = context.prompt(scene, words, 'headless');
      const launch = { args: ['-p', text, '--skip-trust', ...args], ...options };
      const end = await launcher.run({ ...launch, meanwhile: () => meanwhile?.(mark) ?? Promise.resolve() });
      if (exitCode === 'any' || end.code === exitCode) return end;
      throw new StepError(`a run ended with ${end.signal ?? end.code}: ${end.output.trim().slice(-600)}`);
    },
    start: (...args) => launcher.run({ args: [...args, '--skip-trust'] }),
    talk: (body, args = ['--skip-trust']) =>
      launcher.talk(args, (terminal) => body(createDialogue(terminal, context))),
    note: (command) => void commands.push(command),
    aboutToDelete: (doomed) => stage.beforeDeletion?.(doomed) ?? Promise.resolve(),
    slug: () => slugOf(home, project),
    files: () => stage.chats.filesOf(context.slug()),
    truth() {
      const slug = context.slug();
      const files = context.files();
      const logged = loggedSessions(home, slug);
      return {
        step: step.name,
        project,
        slug,
        runs: launcher.runs,
        ...truthOf({ deeds, commands, record: api.record, files, logged }),
        files: files
          .filter(({ changedMs }) => changedMs >= startedMs)
          .map((file) => fileTruth(file, startedMs)),
        ms: Math.round(performance.now() - startedMs),
      };
    },
  };
  return context;
}

/** The program's own register of projects says which folder is whose. */
function slugOf(home: string, project: string): string {
  const { projects } = JSON.parse(readFileSync(join(home, '.gemini', 'projects.json'), 'utf8')) as Register;
  const slug = projects[project];
  if (slug === undefined) throw new StepError(`the program never registered ${project}`);
  return slug;
}

interface Register {
  readonly projects: Readonly<Record<string, string>>;
}
