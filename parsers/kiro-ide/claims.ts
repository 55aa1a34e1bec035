import { hash } from 'node:crypto';

/**
 * Names under which the same record stands in several files of the store. A row claims them, a copy carries one as
 * `copyOf`; see DraftRow. Sessions hold what was typed and executions what was answered; each repeats parts of the
 * other, and `.chat` files repeat both.
 */

/** What was typed in a session. */
export function promptName(session: string, text: string): string {
  return `prompt ${session} ${textKey(text)}`;
}

/** What an execution was started with. */
export function promptOfExecution(execution: string): string {
  return `prompt of ${execution}`;
}

/** What was typed in a session and is answered by an execution: only the session claims it. */
export function typedFor(execution: string): string {
  return `typed for ${execution}`;
}

/** The words that stand in a session in place of the answer. */
export function stubName(execution: string): string {
  return `stub ${execution}`;
}

/** What was answered in a session. */
export function answerName(session: string, text: string): string {
  return `answer ${session} ${textKey(text)}`;
}

/** Everything that an execution did, as its `.chat` file tells it. */
export function chatName(execution: string): string {
  return `chat ${execution}`;
}

/** A turn that later `.chat` files of the same workspace repeat, calls of tools among the words or not. */
export function chatTurnName(folder: string, role: string, text: string): string {
  return `turn ${folder} ${role} ${textKey(text.replace(TOOL_USE, ''))}`;
}

const TOOL_USE = /<tool_use>[\s\S]*?(?:<\/tool_use>|$)/g;

/** A message of a session that was copied into the store of release 1.0; there it has a time. */
export function messageName(session: string, message: string): string {
  return `message ${session} ${message}`;
}

/** White space around a text is cut in one file and kept in another. */
export function textKey(text: string): string {
  return hash('sha256', text.trim(), 'base64url');
}
