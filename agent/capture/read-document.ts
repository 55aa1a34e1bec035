import type { Cursor } from '../contract/commit.ts';
import type { DocumentResult, DocumentSpec, ParseContext } from '../contract/source.ts';
import { brokenRow } from './live-log.ts';
import type { FileFacts, OpenedFile } from './open-file.ts';
import type { Outlet } from './outlet.ts';
import { isSameState, type Track } from './track.ts';

export interface ReadDocumentDeps {
  readonly outlet: Outlet;
  readonly maxDocumentBytes: number;
  readonly context: (track: Track) => ParseContext;
}

/**
 * Reads a whole document. `retry`: it was in the middle of a write, look again after the settle time. What
 * is still torn in the same state of the file then is taken as it is.
 */
export function readDocument(
  track: Track,
  spec: DocumentSpec,
  file: OpenedFile,
  deps: ReadDocumentDeps,
): DocumentResult | 'retry' {
  const { facts } = file;
  if (facts.size > deps.maxDocumentBytes) {
    deps.outlet.emit(track, tooLargeRow(facts));
    return finish(track, file, deps);
  }
  const bytes = file.read(0, facts.size);
  file.refresh();
  if (bytes.length !== facts.size || !isSameState(facts, file.facts)) return 'retry';
  const state = `${facts.ino} ${facts.size} ${facts.mtimeNs}`;
  const settled = track.tornAt === state;
  const result = parse({ track, spec, bytes, settled }, deps);
  if (result === 'torn' && !settled) {
    track.tornAt = state;
    deps.outlet.flush(track, undefined);
    return 'retry';
  }
  track.tornAt = undefined;
  return finish(track, file, deps);
}

/** A parser is total; should one throw all the same, the file says so in a row and the others go on. */
function parse(
  { track, spec, bytes, settled }: { track: Track; spec: DocumentSpec; bytes: Buffer; settled: boolean },
  { context, outlet }: ReadDocumentDeps,
): DocumentResult {
  try {
    return spec.parse({ bytes, settled }, context(track), (draft) => outlet.emit(track, draft));
  } catch (error) {
    outlet.emit(track, brokenRow({ error, bytes, line: null }, null));
    return 'parsed';
  }
}

function finish(track: Track, { facts }: OpenedFile, { outlet }: ReadDocumentDeps): DocumentResult {
  const { id, version } = track.ref.root.source;
  const cursor: Cursor = {
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
  };
  track.cursor = cursor;
  outlet.flush(track, cursor);
  return 'parsed';
}

function tooLargeRow(facts: FileFacts) {
  return {
    record: `oversize:${facts.birthNs}:${facts.size}`,
    part: 'parser.error',
    turn_type: 'system' as const,
    event: 'parser.error',
    text: `parser: file of ${facts.size} bytes not read: over the limit`,
    attributes: { reason: 'oversize', bytes: facts.size },
  };
}
