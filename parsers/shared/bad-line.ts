import { hash } from 'node:crypto';
import type { DraftRow } from '../../agent/contract/row.ts';
import { excerpt } from './text.ts';

/** Characters of unreadable content that a row quotes. */
const QUOTED_CHARS = 200;

interface BadBytes {
  readonly bytes: Buffer;
  readonly reason: string;
  readonly line: number | null;
}

/** Row for a line that could not be read, worded as the seed documents word it. */
export function badLine(bad: BadBytes): DraftRow {
  return parserRow(`parser: unparseable line (${bad.reason})`, bad);
}

/** Row for one element of an array in a document; `position` counts from 1. */
export function badElement(position: number, bad: BadBytes): DraftRow {
  return parserRow(`parser: unparseable record ${position} (${bad.reason})`, bad);
}

/** Row for an array whose end is missing, after its complete elements were read. */
export function cutArray(complete: number, bad: BadBytes): DraftRow {
  return parserRow(`parser: array cut off after record ${complete}`, bad);
}

/** Row for a whole file that is not what its name says. `what` completes "parser: <what>". */
export function badDocument(what: string, bad: BadBytes): DraftRow {
  return parserRow(`parser: ${what} (${bad.reason})`, bad);
}

/**
 * Identity is the hash of the raw bytes alone: the same bytes give the same row id wherever they stand
 * and whatever they were first taken for (a cut tail that later gets its line feed).
 */
function parserRow(head: string, { bytes, reason, line }: BadBytes): DraftRow {
  const quoted = excerpt(bytes, QUOTED_CHARS);
  return {
    record: `bytes:${hash('sha256', bytes, 'hex').slice(0, 32)}`,
    part: 'parser.error',
    content: '',
    turn_type: 'system',
    text: quoted === '' ? head : `${head}: ${quoted}`,
    event: 'parser.error',
    timestamp_utc: null,
    timestamp_source: 'none',
    attributes: { reason, bytes: bytes.length },
    source_line: line,
  };
}
