/** A person at the program's terminal: types prompts and commands, answers its questions. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Terminal } from '../shared/terminal.ts';
import { untilSo } from '../shared/until-so.ts';
import type { StepContext } from './context.ts';
import { createScenes } from './scenes.ts';
import type { Prompt } from './truth.ts';

const READY = /Type your message/;
/** After its last word the program is busy for a moment: with its memory, and with drawing. */
const IDLE_MS = 900;

export interface Dialogue {
  readonly terminal: Terminal;
  /** Waits for the empty input line. */
  ready(): Promise<void>;
  /** Sends a prompt of a scene without waiting for what comes of it. */
  say(scene: string, words: string): Promise<Prompt>;
  /** Waits until the scene's last words are written down and the program is idle. */
  answered(prompt: Prompt): Promise<void>;
  /** Say and wait. */
  ask(scene: string, words: string): Promise<Prompt>;
  /** Waits for the question whether a tool may run. */
  mayChoose(): Promise<void>;
  /** Sends a slash command and waits for what it shows. */
  command(text: string, shows: RegExp | string): Promise<void>;
  /** Runs a command in shell mode and leaves the mode. */
  shell(command: string, output: string): Promise<void>;
  /** Leaves by /quit. */
  quit(): Promise<void>;
}

export function createDialogue(terminal: Terminal, context: StepContext): Dialogue {
  const scenes = createScenes(() => context.project);
  const dialogue: Dialogue = {
    terminal,
    async ready() {
      await terminal.shows(READY);
      await sleep(IDLE_MS);
    },
    async say(scene, words) {
      const prompt = context.prompt(scene, words);
      await terminal.submit(prompt.text);
      return prompt;
    },
    async answered({ scene, mark }) {
      const last = scenes[scene]?.(mark).at(-1)?.text ?? mark;
      await untilSo(`the answer "${last}"`, () =>
        context.facts().some(({ kind, text }) => kind === 'assistant' && text === last),
      );
      await dialogue.ready();
    },
    async ask(scene, words) {
      const prompt = await dialogue.say(scene, words);
      await dialogue.answered(prompt);
      return prompt;
    },
    mayChoose: () => terminal.shows(/Allow execution/),
    async command(text, shows) {
      context.note({ kind: 'slash', text });
      await terminal.submit(text);
      await terminal.shows(shows);
      await sleep(IDLE_MS);
    },
    async shell(command, output) {
      context.note({ kind: 'shell', text: command });
      await terminal.type('!');
      await terminal.shows(/shell mode enabled/);
      await terminal.submit(command);
      await terminal.shows(new RegExp(`Shell Command[\\s\\S]*\\n\\W*${output}`));
      await terminal.press('Escape');
      await dialogue.ready();
    },
    async quit() {
      await terminal.submit('/quit');
      await terminal.ended();
    },
  };
  return dialogue;
}
