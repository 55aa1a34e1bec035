import type { DraftRow, Emit } from '../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../agent/contract/source.ts';
import { withoutMark } from '../shared/byte-mark.ts';
import { structureRefusal } from '../shared/structure.ts';
import { cleanText } from '../shared/text.ts';
import { typedName } from './claims.ts';
import { type HistoryPlace, placeOf } from './history-place.ts';

/**
 * Parser of `shell_history`: the last hundred commands of shell mode, each once, oldest first, without time or
 * session. A JSON list of strings on one line; releases before wrote one command a line. It is written anew in place
 * and a cut list looks like the old form, so only a quiet file is read.
 */
export function parseShellHistory(
  { bytes, settled }: Document,
  context: ParseContext,
  emit: Emit,
): DocumentResult {
  if (!settled) return 'torn';
  const place = placeOf(context, emit);
  const text = withoutMark(bytes).toString('utf8');
  const list = structureRefusal(bytes) === undefined ? listIn(text) : undefined;
  const commands = list?.map((command) => ({ command, line: 1 })) ?? linesIn(text);
  for (const { command, line } of commands) if (command.trim() !== '') emit(rowOf(place, command, line));
  return 'parsed';
}

function listIn(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
    return isList ? value : undefined;
  } catch {
    return undefined;
  }
}

interface Command {
  readonly command: string;
  readonly line: number;
}

/** A line that ends in an odd number of backslashes goes on in the next. */
function linesIn(text: string): readonly Command[] {
  const commands: Command[] = [];
  let open: Command | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\r$/, '');
    if (line.trim() === '') continue;
    const command: Command = open
      ? { command: `${open.command.slice(0, -1)} ${line}`, line: open.line }
      : { command: line, line: index + 1 };
    open = isContinued(command.command) ? command : undefined;
    if (!open) commands.push(command);
  }
  return open ? [...commands, open] : commands;
}

function isContinued(text: string): boolean {
  let start = text.length;
  while (start > 0 && text[start - 1] === '\\') start--;
  return (text.length - start) % 2 === 1;
}

function rowOf({ folder, project }: HistoryPlace, command: string, line: number): DraftRow {
  const text = cleanText(command);
  return {
    record: 'shell-history',
    part: 'text',
    sessionKey: folder,
    turn_type: 'user',
    text,
    project_path: project,
    attributes: { input: 'shell' },
    source_line: line,
    copyOf: typedName(folder, command),
  };
}
