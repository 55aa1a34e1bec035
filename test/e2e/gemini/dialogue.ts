/** A person at the program's terminal: types prompts and commands, answers its questions. */

import type { Terminal } from '../shared/terminal.ts';
import type { StepContext } from './context.ts';
import { SCENES } from './scenes.ts';
import type { Deed } from './truth.ts';

const READY = /Type your message/;
const CHOICE = /Allow execution/;

export interface Dialogue {
  readonly terminal: Terminal;
  /** Waits for the empty input line. */
  ready(): Promise<void>;
  /** Sends a prompt of a scene without waiting for what comes of it. */
  say(scene: string, words: string): Promise<Deed>;
  /** Waits for the scene's last words and for the program to be idle again. */
  answered(prompt: Deed): Promise<void>;
  /** Say and wait. */
  ask(scene: string, words: string): Promise<Deed>;
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
  const idle = () => terminal.shows(/^(?![\s\S]*esc to cancel)[\s\S]*Type your message/);
  const dialogue: Dialogue = {
    terminal,
    ready: () => terminal.shows(READY),
    async say(scene, words) {
      const prompt = context.prompt(scene, words);
      await terminal.submit(prompt.text);
      return prompt;
    },
    async answered({ scene, mark }) {
      await terminal.shows(SCENES[scene]?.(mark).at(-1)?.text ?? mark);
      await idle();
    },
    async ask(scene, words) {
      const prompt = await dialogue.say(scene, words);
      await dialogue.answered(prompt);
      return prompt;
    },
    mayChoose: () => terminal.shows(CHOICE),
    async command(text, shows) {
      context.note({ kind: 'slash', text });
      await terminal.submit(text);
      await terminal.shows(shows);
    },
    async shell(command, output) {
      context.note({ kind: 'shell', text: command, output });
      await terminal.press('!');
      await terminal.shows(/Type your shell command/);
      await terminal.submit(command);
      await terminal.shows(new RegExp(`Shell Command[\\s\\S]*\\n\\W*${output}`));
      await terminal.press('Escape');
      await idle();
    },
    async quit() {
      context.note({ kind: 'slash', text: '/quit' });
      await terminal.submit('/quit');
      await terminal.ended();
    },
  };
  return dialogue;
}
