import { isUtf8 } from 'node:buffer';
import type { Emit } from '../../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../../agent/contract/source.ts';
import { badLine } from '../../shared/bad-line.ts';
import { withoutMark } from '../../shared/byte-mark.ts';
import { cleanText } from '../../shared/text.ts';
import { userName } from '../claims.ts';
import { joinContinued } from '../shell-input.ts';
import { matchKey } from '../state.ts';
import { emitBadRow, type FilePlace, placeOf } from './place.ts';

/**
 * Parser of `shell_history`: the last hundred commands of shell mode, without time or session, joined by line feeds
 * and without one at the end. It is written anew each time, and a cut cannot be seen, so only a quiet file is read.
 */
export function parseShellHistory(document: Document, context: ParseContext, emit: Emit): DocumentResult {
  const { bytes, settled } = document;
  if (!settled) return 'torn';
  const place = placeOf(context, emit);
  const lines = readLines(place, withoutMark(bytes));
  const seen = new Map<string, number>();
  for (const { text, line } of joinContinued(lines)) addCommand(place, { text, line, seen });
  return 'parsed';
}

/** Lines as text; one that is not UTF-8 gives a row of its own and counts as blank. */
function readLines(place: FilePlace, bytes: Buffer): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start <= bytes.length) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed < 0 ? bytes.length : feed;
    const line = bytes.subarray(start, bytes[end - 1] === 0x0d && end > start ? end - 1 : end);
    lines.push(isUtf8(line) ? line.toString('utf8') : '');
    if (!isUtf8(line))
      emitBadRow(place, badLine({ bytes: line, reason: 'not valid UTF-8', line: lines.length }));
    start = end + 1;
  }
  return lines;
}

interface Command {
  readonly text: string;
  readonly line: number;
  readonly seen: Map<string, number>;
}

function addCommand(place: FilePlace, { text, line, seen }: Command): void {
  const times = (seen.get(text) ?? 0) + 1;
  seen.set(text, times);
  place.emit({
    record: 'shell-history',
    part: 'text',
    content: `${place.projectKey} ${times} ${cleanText(text)}`,
    turn_type: 'user',
    text: cleanText(text),
    project_path: place.project,
    attributes: { input: 'shell' },
    source_line: line,
    copyOf: userName(place.folder, matchKey(text)),
  });
}
