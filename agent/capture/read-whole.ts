import type { Cursor } from '../contract/commit.ts';
import type { DraftRow } from '../contract/row.ts';
import type { FileFacts, OpenedFile } from './open-file.ts';
import { isSameState, type Track } from './track.ts';

/**
 * bytes: the whole file, with whether it has been in this state for the settle time although a value in it was
 * cut. moving: it changed while it was read. too_large: the row that says so.
 */
export type Whole =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly settled: boolean }
  | { readonly kind: 'moving' }
  | { readonly kind: 'too_large'; readonly row: DraftRow };

export function readWhole(track: Track, file: OpenedFile, maxBytes: number): Whole {
  const { facts } = file;
  if (facts.size > maxBytes) return { kind: 'too_large', row: tooLargeRow(facts) };
  const bytes = file.read(0, facts.size);
  file.refresh();
  if (bytes.length !== facts.size || !isSameState(facts, file.facts)) return { kind: 'moving' };
  return { kind: 'bytes', bytes, settled: track.tornAt === stateOf(facts) };
}

/** A cut value was seen: if the file is still in this state after the settle time, it counts as final. */
export function markTorn(track: Track, { facts }: OpenedFile): void {
  track.tornAt = stateOf(facts);
}

/** The cursor of a file that is read whole: all of it. */
export function wholeCursor(track: Track, facts: FileFacts): Cursor {
  const { id, version } = track.ref.root.source;
  return {
    source: id,
    version,
    dev: facts.dev,
    ino: facts.ino,
    birthNs: facts.birthNs,
    size: facts.size,
    mtimeNs: facts.mtimeNs,
    offset: facts.size,
    line: 0,
    head: '',
    tail: '',
    session: null,
    ...(isGivenWhole(track) ? { whole: true } : {}),
    ...(track.productive && { productive: true }),
    ...(facts.beside === undefined ? {} : { beside: facts.beside }),
  };
}

/** Of these kinds every reading gives all that the file holds. Of others (a database) it may give only what changed. */
function isGivenWhole({ ref }: Track): boolean {
  return ref.spec.kind === 'document' || ref.spec.kind === 'standing';
}

function stateOf(facts: FileFacts): string {
  return `${facts.ino} ${facts.size} ${facts.mtimeNs}`;
}

function tooLargeRow(facts: FileFacts): DraftRow {
  return {
    record: `oversize:${facts.birthNs}:${facts.size}`,
    part: 'parser.error',
    turn_type: 'system',
    event: 'parser.error',
    text: `parser: file of ${facts.size} bytes not read: over the limit`,
    attributes: { reason: 'oversize', bytes: facts.size },
  };
}
