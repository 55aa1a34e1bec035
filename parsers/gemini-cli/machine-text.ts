import type { EventName } from '../../agent/contract/events.ts';

/**
 * User messages, or parts of them, that nobody typed: the program sends them to the model as the user.
 * Each becomes a system row. Sources of the wordings: docs/formats/gemini-cli.md, "Machine-made text".
 */
const MACHINE_TEXTS: readonly (readonly [start: string, event: EventName])[] = [
  ['<session_context>', 'session.context'],
  ['<hook_context>', 'session.hook_context'],
  ['- **Workspace Directories:**', 'session.directories'],
  ['<state_snapshot>', 'session.compressed'],
  ["Here is the user's editor context as a JSON object", 'session.editor_context'],
  ["Here is a summary of changes in the user's editor context", 'session.editor_context'],
  ['System: Potential loop detected.', 'session.steered'],
  ['System: Please continue.', 'session.steered'],
];

export const CONTEXT = 'session.context';
export const COMPRESSED = 'session.compressed';

/** Event of a text that the program made; undefined for what a person wrote. */
export function machineEvent(text: string): EventName | undefined {
  for (const [start, event] of MACHINE_TEXTS) if (text.startsWith(start)) return event;
  return undefined;
}

/** After this part of a prompt come the contents of the files that it mentions with `@`. */
export function isFileBodyMark(text: string): boolean {
  return text.trimStart().startsWith('--- Content from referenced files ---');
}

/** What the model is made to answer to a compression summary. */
export function isCompressionAck(text: string): boolean {
  return text.startsWith('Got it. Thanks for the additional context');
}

/** A prompt in shell mode (`!`) holds the command and what it printed. */
export function isShellInput(text: string): boolean {
  return text.startsWith('I ran the following shell command:\n');
}
