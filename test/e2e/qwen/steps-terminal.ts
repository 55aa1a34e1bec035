/** Steps that need the terminal interface; each is one run of the program in its own project. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StepError } from '../shared/errors.ts';
import { untilSo } from '../shared/until-so.ts';
import type { StepContext } from './context.ts';
import type { Dialogue } from './dialogue.ts';
import { editSettings, settingsFile } from './environment.ts';
import { PID_FILE } from './scenes.ts';
import { type Step, type StepPlan, stepOf } from './step.ts';

export const terminalSteps: readonly Step[] = [
  talkStep({ name: 'ui-approve', outcomes: ['refused', 'success', 'success', 'denied'] }, approve),
  talkStep({ name: 'ui-cancel', outcomes: ['cancelled'] }, cancelWhileRunning),
  talkStep({ name: 'ui-commands', outcomes: ['error'] }, commands),
  talkStep({ name: 'ui-rewind' }, rewindAndClear),
  talkStep({ name: 'ui-resume' }, resumeInside),
  talkStep({ name: 'ui-delete' }, deleteSession),
  talkStep({ name: 'ui-trust', changesHome: true }, trustFolder),
  talkStep({ name: 'ui-forever', changesHome: true, outcomes: ['success', 'error'] }, approveForEver),
];

type Talk = (dialogue: Dialogue, context: StepContext) => Promise<void>;

/** Those that change the home share a project, so that one comes after the other. */
function talkStep(plan: Omit<StepPlan, 'project'>, talk: Talk): Step {
  const project = plan.changesHome ? 'code/ui-home' : `code/${plan.name}`;
  return stepOf({ ...plan, project, needsTerminal: true }, async (context) => {
    if (plan.name === 'ui-delete') await context.run('plain', 'this one will be deleted');
    if (plan.name === 'ui-trust') await withFolderTrust(context, (body) => context.talk(body), talk);
    else await context.talk((dialogue) => talk(dialogue, context));
  });
}

/** Refuses once, allows once, and then for the project, which the program keeps in the project. */
async function approve(dialogue: Dialogue, { project }: StepContext): Promise<void> {
  const { terminal } = dialogue;
  await dialogue.ready();
  await dialogue.say('ask', 'something I refuse');
  await dialogue.mayChoose();
  await terminal.press('Escape');
  await dialogue.ready();
  for (const choice of ['1', '2']) {
    const prompt = await dialogue.say('ask', `something I allow with ${choice}`);
    await dialogue.mayChoose();
    await terminal.press(choice);
    await dialogue.answered(prompt);
  }
  await dialogue.ask('deny', 'and push it');
  await dialogue.quit();
  const settings = join(project, '.qwen', 'settings.json');
  if (!existsSync(settings) || !readFileSync(settings, 'utf8').includes('touch'))
    throw new StepError('the approval for the project was not saved');
}

async function cancelWhileRunning(dialogue: Dialogue, { project }: StepContext): Promise<void> {
  const pidFile = join(project, PID_FILE);
  rmSync(pidFile, { force: true });
  await dialogue.ready();
  await dialogue.say('slow', 'something I stop');
  await dialogue.mayChoose();
  await dialogue.terminal.press('1');
  await untilSo('the slow command runs', () => existsSync(pidFile));
  await dialogue.terminal.press('Escape');
  await dialogue.terminal.shows(/Request cancelled/);
  await dialogue.ready();
  await dialogue.ask('plain', 'after the stop');
  await dialogue.quit();
}

async function commands(dialogue: Dialogue): Promise<void> {
  await dialogue.ready();
  await dialogue.ask('plain', 'before the commands');
  await dialogue.ask('plain', 'and look at @README.md now');
  await dialogue.command('/approval-mode yolo', /Approval mode set to/);
  await dialogue.ask('shell', 'without asking me');
  await dialogue.shell('echo typed-in-shell-mode', 'typed-in-shell-mode');
  await dialogue.command('/rename a title of mine', /renamed to/);
  await switchModel(dialogue);
  await dialogue.ask('think', 'with the other model');
  await dialogue.command('/compress', /compressed from/);
  await dialogue.ask('plain', 'after the compression');
  await dialogue.quit();
}

/** The first return takes the completion that the program offers, the second one sends it. */
async function switchModel({ terminal }: Dialogue): Promise<void> {
  await terminal.type('/model gemini-2.5-flash');
  await terminal.press('Enter', 'Enter');
  await terminal.shows(/Model: gemini-2.5-flash/);
}

/** Rewinds to before the second prompt, then clears: the second session of one process. */
async function rewindAndClear(dialogue: Dialogue, context: StepContext): Promise<void> {
  const { terminal } = dialogue;
  await dialogue.ready();
  await dialogue.ask('plain', 'the part that stays');
  await dialogue.ask('think', 'the part that is rewound');
  await terminal.press('Escape', 'Escape');
  await terminal.shows(/Rewind Conversation/);
  await terminal.press('Enter');
  await terminal.shows(/Restore conversation only/);
  await terminal.press('Enter');
  await terminal.shows(/Conversation rewound/);
  await terminal.press('C-u');
  await dialogue.ready();
  await dialogue.ask('plain', 'after the rewind');
  await dialogue.command('/clear', /^(?![\s\S]*after the rewind)[\s\S]*Type your message/);
  await dialogue.ask('plain', 'after the clear');
  await dialogue.quit();
  if (context.files().length !== 2) throw new StepError('the clear did not begin a second session');
}

/** Takes the session up again in the program that has it open: prompt and answer then hang on one record each. */
async function resumeInside(dialogue: Dialogue): Promise<void> {
  const { terminal } = dialogue;
  await dialogue.ready();
  await dialogue.ask('plain', 'before it is taken up');
  await dialogue.command('/resume', /Resume Session/);
  await terminal.press('Enter');
  await terminal.shows(/^(?![\s\S]*Resume Session)[\s\S]*Type your message/);
  await dialogue.ready();
  await dialogue.ask('plain', 'after it was taken up');
  await dialogue.quit();
}

/** Deletes the session of the run before, which is the one below the current session in the list. */
async function deleteSession(dialogue: Dialogue, context: StepContext): Promise<void> {
  const { terminal } = dialogue;
  await dialogue.ready();
  await dialogue.ask('plain', 'the session that stays');
  await dialogue.command('/delete', /Delete Session/);
  await terminal.press('Down', 'Enter');
  await untilSo('a session file goes', () => context.files().some(({ isGone }) => isGone));
  await dialogue.ready();
  await dialogue.quit();
}

/** Folder trust is off by default; the question comes at the start in a folder that no level is known for. */
async function withFolderTrust(
  context: StepContext,
  talk: (body: (dialogue: Dialogue) => Promise<void>) => Promise<void>,
  body: Talk,
): Promise<void> {
  const setTrust = (enabled: boolean) =>
    editSettings(context.home, ({ security }) => {
      security.folderTrust = { enabled };
    });
  setTrust(true);
  try {
    await talk((dialogue) => body(dialogue, context));
  } finally {
    setTrust(false);
  }
}

/** Ends with the answer: on a busy machine the program then sometimes initialises for ever. */
async function trustFolder(dialogue: Dialogue, { home, project }: StepContext): Promise<void> {
  const file = join(home, '.qwen', 'trustedFolders.json');
  await dialogue.terminal.shows(/Trust folder/);
  await dialogue.terminal.press('Enter');
  await untilSo(
    'the trusted folder is written',
    () => existsSync(file) && readFileSync(file, 'utf8').includes(project),
  );
}

/** An approval for all projects, and then the mode that asks nothing, kept in the user's settings. */
async function approveForEver(dialogue: Dialogue, { home }: StepContext): Promise<void> {
  const { terminal } = dialogue;
  await dialogue.ready();
  const prompt = await dialogue.say('ask', 'make a file');
  await dialogue.mayChoose();
  await terminal.press('3');
  await dialogue.answered(prompt);
  await dialogue.command('/approval-mode', /Approval Mode/);
  await terminal.press('5', 'Enter');
  await dialogue.ready();
  await dialogue.ask('shell', 'without asking me');
  await dialogue.quit();
  const settings = readFileSync(settingsFile(home), 'utf8');
  if (!settings.includes('"approvalMode": "yolo"') || !settings.includes('Bash(touch *)'))
    throw new StepError('the approvals for ever were not saved');
}
