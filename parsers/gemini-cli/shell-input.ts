import { isShellInput } from './machine-text.ts';

/**
 * The command of a prompt in shell mode: as it stands in the fenced block, and as it was typed, since the program
 * puts a backslash before each backslash and backtick. Empty for any other prompt.
 */
export function shellCommands(text: string): readonly string[] {
  const written = isShellInput(text) ? fencedCommand(text) : undefined;
  if (written === undefined) return [];
  const typed = written.replace(/\\([\\`])/g, '$1');
  return typed === written ? [written] : [typed, written];
}

const OPENING = '\n```sh\n';
const CLOSING = '\n```\n\nThis produced the following result:';

function fencedCommand(text: string): string | undefined {
  const opening = text.indexOf(OPENING);
  if (opening < 0) return undefined;
  const start = opening + OPENING.length;
  const end = text.indexOf(CLOSING, start);
  return end < 0 ? undefined : text.slice(start, end);
}

/** Commands as `shell_history` is read back: a line that ends in an odd number of backslashes goes on in the next. */
export function joinContinued(lines: readonly string[]): readonly JoinedLine[] {
  const joined: JoinedLine[] = [];
  let current: JoinedLine | undefined;
  for (const [index, text] of lines.entries()) {
    if (text.trim() === '') continue;
    if (current && isContinued(current.text)) {
      current = { text: `${current.text.slice(0, -1)} ${text}`, line: current.line };
    } else {
      if (current) joined.push(current);
      current = { text, line: index + 1 };
    }
  }
  return current ? [...joined, current] : joined;
}

export interface JoinedLine {
  readonly text: string;
  /** Line (from 1) on which it begins. */
  readonly line: number;
}

function isContinued(text: string): boolean {
  let start = text.length;
  while (start > 0 && text[start - 1] === '\\') start--;
  return (text.length - start) % 2 === 1;
}
