import { hash } from 'node:crypto';

/**
 * Names under which copies of what was typed stand in other files of the store. Session rows claim them, copies carry
 * one as `copyOf`; see DraftRow.
 */

/** What was typed in a session; the prompt history has the session of each entry. */
export function promptName(session: string, text: string): string {
  return `prompt ${session} ${keyOf(text)}`;
}

/** What was typed in a project; the shell history knows no more. `folder` is that of the project below `tmp/`. */
export function typedName(folder: string, text: string): string {
  return `typed ${folder} ${keyOf(text)}`;
}

/** White space around a prompt is cut in one place and kept in another. */
function keyOf(text: string): string {
  return hash('sha256', text.trim(), 'base64url');
}
