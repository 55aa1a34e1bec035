/**
 * What the IDE itself writes in the user's name: instructions in front of a conversation, and blocks about the editor
 * around what was typed.
 */

const PREAMBLES = [
  '<identity>',
  '<capabilities>',
  '<response_style>',
  '<rules>',
  '<key_kiro_features>',
  '<system_information>',
  '<platform_specific',
  '<user-rule',
  '<workflow-definition>',
  '<implicit-rules>',
  '# System Prompt',
  '# Identity',
  '## Included Rules',
];

/** The fixed answer to such instructions. */
const ACKNOWLEDGEMENT = 'I will follow these instructions.';

const MESSAGE = /^\s*<kiro-ide-message>([\s\S]*?)(?:<\/kiro-ide-message>\s*)?$/;
const CONTEXT = /<(EnvironmentContext|steering-reminder)>[\s\S]*?(?:<\/\1>|$)/g;

export function isPreamble(text: string): boolean {
  const start = text.trimStart();
  return PREAMBLES.some((mark) => start.startsWith(mark));
}

export function isAcknowledgement(text: string): boolean {
  return text.trim() === ACKNOWLEDGEMENT;
}

/** What somebody typed, and what an editor added to it. */
export interface UserText {
  readonly typed: string;
  readonly added: string;
}

/** Takes a text in the user's name apart; both parts are empty for instructions. */
export function userText(text: string): UserText {
  if (isPreamble(text)) return { typed: '', added: '' };
  const inner = MESSAGE.exec(text)?.[1] ?? text;
  const added = inner.match(CONTEXT);
  if (!added) return { typed: inner === text ? text : inner.trim(), added: '' };
  return { typed: inner.replace(CONTEXT, '').trim(), added: added.join('\n') };
}
