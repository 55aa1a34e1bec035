import type { DocumentResult, DocumentSpec, ParseContext } from '../contract/source.ts';
import { brokenRow } from './live-log.ts';
import type { OpenedFile } from './open-file.ts';
import type { Outlet } from './outlet.ts';
import { markTorn, readWhole, wholeCursor } from './read-whole.ts';
import { NO_ROWS } from './tally.ts';
import type { Track } from './track.ts';

export interface ReadWholeDeps {
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
  deps: ReadWholeDeps,
): 'parsed' | 'retry' {
  const { outlet } = deps;
  track.tally = NO_ROWS;
  const whole = readWhole(track, file, deps.maxDocumentBytes);
  if (whole.kind === 'moving') return 'retry';
  if (whole.kind === 'too_large') outlet.emit(track, whole.row);
  else if (parse(track, { spec, ...whole }, deps) === 'torn' && !whole.settled) {
    markTorn(track, file);
    outlet.flush(track, undefined);
    return 'retry';
  }
  track.tornAt = undefined;
  track.cursor = { ...wholeCursor(track, file.facts), tally: track.tally };
  outlet.flush(track, track.cursor);
  return 'parsed';
}

/** A parser is total; should one throw all the same, the file says so in a row and the others go on. */
function parse(
  track: Track,
  { spec, bytes, settled }: { spec: DocumentSpec; bytes: Buffer; settled: boolean },
  { context, outlet }: ReadWholeDeps,
): DocumentResult {
  try {
    return spec.parse({ bytes, settled }, context(track), (draft) => outlet.emit(track, draft));
  } catch (error) {
    outlet.emit(track, brokenRow({ error, bytes, line: null }, null));
    return 'parsed';
  }
}
