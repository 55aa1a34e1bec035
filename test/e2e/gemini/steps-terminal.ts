/** Steps that need the terminal interface; each is one run of the program in its own project. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StepError } from '../shared/errors.ts';
import { untilSo } from '../shared/until-so.ts';
import type { StepContext } from './context.ts';
import type { Dialogue } from './dialogue.ts';
import { PID_FILE } from './scenes.ts';
import { type Step, type StepPlan, stepOf } from './step.ts';

export const terminalSteps: readonly Step[] = [
  talkStep({ name: 'ui-trust', args: [] }, trustFolder),
  talkStep({ name: 'ui-refuse', outcomes: ['success', 'cancelled'] }, refuse),
  talkStep({ name: 'ui-cancel', outcomes: ['cancelled'] }, cancelWhileRunning),
  talkStep({ name: 'ui-commands', outcomes: ['success'] }, commands),
  talkStep({ name: 'ui-rewind', outcomes: ['success'] }, rewindAndClear),
  talkStep({ name: 'ui-empty', deletions: ['unresumable'] }, startAndQuit),
  talkStep({ name: 'ui-headerless', deletions: ['unresumable'] }, outlivedByItsFile),
  { ...talkStep({ name: 'ui-approve', outcomes: ['success', 'denied'] }, approveForEver), changesHome: true },
];

interface TalkPlan extends Omit<StepPlan, 'project' | 'needsTerminal'> {
  readonly args?: readonly string[];
}

type Talk = (dialogue: Dialogue, context: StepContext) => Promise<void>;

function talkStep({ args, ...plan }: TalkPlan, talk: Talk): Step {
  return stepOf({ ...plan, project: `code/${plan.name}`, needsTerminal: true }, (context) =>
    context.talk((dialogue) => talk(dialogue, context), args),
  );
}

async function trustFolder({ terminal }: Dialogue, { home, project }: StepContext): Promise<void> {
  await terminal.shows(/Do you trust/);
  await terminal.press('1');
  const file = join(home, '.gemini', 'trustedFolders.json');
  await untilSo(
    'the trusted folder is written',
    () => existsSync(file) && readFileSync(file, 'utf8').includes(project),
  );
}

/** The third choice writes a rule into the user's policies. */
async function approveForEver(dialogue: Dialogue, { home }: StepContext): Promise<void> {
  await dialogue.ready();
  const prompt = await dialogue.say('ask', 'make a file');
  await dialogue.mayChoose();
  await dialogue.terminal.shows(/3\. Allow this command for all future sessions/);
  await dialogue.terminal.press('3');
  await dialogue.answered(prompt);
  await dialogue.ask('deny', 'and push it');
  await dialogue.quit();
  const file = join(home, '.gemini', 'policies', 'auto-saved.toml');
  if (!existsSync(file)) throw new StepError('the approval for ever was not saved');
}

/** The program writes its whole history down once more after a refusal. */
async function refuse(dialogue: Dialogue): Promise<void> {
  await dialogue.ready();
  await dialogue.ask('list', 'something that stays');
  const prompt = await dialogue.say('slow', 'something I refuse');
  await dialogue.mayChoose();
  await dialogue.terminal.press('Escape');
  prompt.fate = 'refused';
  await dialogue.terminal.shows(/Request cancelled/);
  await dialogue.ask('plain', 'after the refusal');
  await dialogue.quit();
}

async function cancelWhileRunning(dialogue: Dialogue, { project }: StepContext): Promise<void> {
  const pidFile = join(project, PID_FILE);
  rmSync(pidFile, { force: true });
  await dialogue.ready();
  const prompt = await dialogue.say('slow', 'something I stop');
  await dialogue.mayChoose();
  await dialogue.terminal.press('1');
  await untilSo('the slow command runs', () => existsSync(pidFile));
  prompt.fate = 'stopped';
  await dialogue.terminal.press('Escape');
  await dialogue.terminal.shows(/Request cancelled/);
  await dialogue.ask('plain', 'after the stop');
  await dialogue.quit();
}

async function commands(dialogue: Dialogue, context: StepContext): Promise<void> {
  await dialogue.ready();
  await dialogue.ask('list', 'before the commands');
  await dialogue.shell('echo typed-in-shell-mode', 'typed-in-shell-mode');
  await dialogue.command('/model set gemini-2.5-flash', 'Model set to gemini-2.5-flash');
  await dialogue.ask('think', 'with the other model');
  await dialogue.command('/chat save keep', /checkpoint saved/);
  await dialogue.command('/bug it broke', /Chat History Exported/);
  await dialogue.command('/compress', /compressed from \d+ to \d+ tokens/);
  await dialogue.ask('plain', 'after the compression');
  await dialogue.quit();
  if (context.files().length !== 1) throw new StepError('the commands did not stay in one session');
}

/** Rewinds to before the second prompt, then clears: the second session of one process. */
async function rewindAndClear(dialogue: Dialogue, context: StepContext): Promise<void> {
  const { terminal } = dialogue;
  await dialogue.ready();
  await dialogue.ask('list', 'the part that stays');
  const rewound = await dialogue.ask('plain', 'the part that is rewound');
  await dialogue.command('/rewind', /Stay at current/);
  await terminal.press('Up', 'Enter');
  await terminal.shows(/Confirm Rewind/);
  await terminal.press('Enter');
  await terminal.shows(/^(?![\s\S]*Confirm Rewind)[\s\S]*the part that is rewound/);
  rewound.fate = 'rewound';
  await terminal.press('C-u');
  await dialogue.ready();
  await dialogue.ask('plain', 'after the rewind');
  await dialogue.command('/clear', /^(?![\s\S]*after the rewind)[\s\S]*Type your message/);
  await dialogue.ask('plain', 'after the clear');
  await dialogue.quit();
  if (context.files().length !== 2) throw new StepError('the clear did not begin a second session');
}

/** The file of a session without a word is deleted as the program ends. */
async function startAndQuit(dialogue: Dialogue, context: StepContext): Promise<void> {
  await dialogue.ready();
  await untilSo('a session file', () => context.files().length > 0);
  await dialogue.quit();
  if (context.files().some(({ goneMs }) => goneMs === undefined))
    throw new StepError('the empty session was not deleted');
}

/** Another start deletes the idle session's file; what is typed then makes a file without a header. */
async function outlivedByItsFile(dialogue: Dialogue, context: StepContext): Promise<void> {
  await dialogue.ready();
  await untilSo('a session file', () => context.files().length > 0);
  const [idle] = context.files();
  await context.run('late', 'another start here', {
    meanwhile: async (mark) => {
      try {
        await untilSo('the idle file goes', () => idle?.goneMs !== undefined);
      } finally {
        context.api.release(mark);
      }
    },
  });
  await dialogue.ask('plain', 'typed into a file that is gone');
  await dialogue.quit();
}
