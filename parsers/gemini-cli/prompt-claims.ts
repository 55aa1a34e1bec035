import type { Time } from '../shared/time.ts';
import { promptNames, shellPromptNames, userName } from './claims.ts';
import { joined } from './content.ts';
import { joinContinued, shellCommands } from './shell-input.ts';
import { matchKey, type Session } from './state.ts';

/** What was typed, its match keys (as typed first), and the text parts that it came in. */
export interface Prompt {
  readonly typed: string;
  readonly keys: readonly string[];
  readonly parts: readonly string[];
}

/** More parts than this were not joined from prompts. */
const MAX_PARTS = 50;

/** Names under which a prompt may stand in the prompt history, the shell history and in saved histories. */
export function promptClaims(session: Session, prompt: Prompt, { utc }: Time): readonly string[] {
  const key = prompt.keys[0] ?? '';
  const claims = utc === null ? [] : promptNames(utc, key);
  claims.push(userName(session.folder, key));
  addPartClaims(claims, session, prompt);
  addShellClaims(claims, session, { typed: prompt.typed, utc });
  return claims;
}

/** A saved history has the text as it was sent, and joins user messages part by part. */
function addPartClaims(claims: string[], { folder }: Session, { typed, parts }: Prompt): void {
  if (parts.length === 1 && parts[0] === typed) return;
  const sent = joined(parts, '');
  if (sent !== typed) claims.push(userName(folder, matchKey(sent)));
  if (parts.length > 1)
    for (const part of parts.slice(0, MAX_PARTS)) claims.push(userName(folder, matchKey(part)));
}

/** The prompt history and the shell history have the bare command; the latter splits and joins its lines. */
function addShellClaims(
  claims: string[],
  { folder, timeBefore }: Session,
  { typed, utc }: { readonly typed: string; readonly utc: string | null },
): void {
  for (const command of shellCommands(typed)) {
    if (utc !== null) claims.push(...shellPromptNames(utc, timeBefore, matchKey(command)));
    const lines = joinContinued(command.split('\n')).slice(0, MAX_PARTS);
    for (const text of new Set([command, ...lines.map((line) => line.text)]))
      claims.push(userName(folder, matchKey(text)));
  }
}
