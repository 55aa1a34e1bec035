import type { DraftRow, Emit } from '../contract/row.ts';
import {
  type DocumentResult,
  type DocumentSpec,
  MAX_MEMORY_CHARS,
  type ParseContext,
} from '../contract/source.ts';
import { brokenRow } from './live-log.ts';
import type { OpenedFile } from './open-file.ts';
import type { Outlet } from './outlet.ts';
import { markTorn, readWhole, wholeCursor } from './read-whole.ts';
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
  const whole = readWhole(track, file, deps.maxDocumentBytes);
  if (whole.kind === 'moving') return 'retry';
  let result: DocumentResult = 'parsed';
  let session = track.cursor?.session ?? null;
  function emit(draft: DraftRow): void {
    session ??= draft.session_id ?? null;
    outlet.emit(track, draft);
  }
  if (whole.kind === 'too_large') emit(whole.row);
  else result = parse(track, { spec, ...whole, emit }, deps);
  if (result === 'torn' && whole.kind === 'bytes' && !whole.settled) {
    markTorn(track, file);
    outlet.flush(track, undefined);
    return 'retry';
  }
  const memory = memoryAfter(track, result);
  track.tornAt = undefined;
  track.cursor = { ...wholeCursor(track, file.facts), session, ...(memory !== undefined && { memory }) };
  outlet.flush(track, track.cursor);
  return 'parsed';
}

/** A memory of another version of the source may have another form. */
function memoryBefore({ cursor, ref }: Track): string | undefined {
  return cursor?.version === ref.root.source.version ? cursor.memory : undefined;
}

function memoryAfter(track: Track, result: DocumentResult): string | undefined {
  if (typeof result === 'string') return memoryBefore(track);
  return result.memory.length > MAX_MEMORY_CHARS ? undefined : result.memory;
}

/** A parser is total; should one throw all the same, the file says so in a row and the others go on. */
function parse(
  track: Track,
  { spec, bytes, settled, emit }: { spec: DocumentSpec; bytes: Buffer; settled: boolean; emit: Emit },
  { context }: ReadWholeDeps,
): DocumentResult {
  try {
    return spec.parse({ bytes, settled, memory: memoryBefore(track) }, context(track), emit);
  } catch (error) {
    emit(brokenRow({ error, bytes, line: null }, null));
    return 'parsed';
  }
}
