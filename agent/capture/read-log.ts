import { isoTime } from '../contract/clock.ts';
import type { Cursor } from '../contract/commit.ts';
import type { Logger } from '../contract/logger.ts';
import type { DraftRow } from '../contract/row.ts';
import type { LogSpec, ParseContext } from '../contract/source.ts';
import { compareWith, type FileChange, isSameFile } from './fingerprint.ts';
import { LiveLog } from './live-log.ts';
import type { OpenedFile } from './open-file.ts';
import type { Outlet } from './outlet.ts';
import { NO_ROWS } from './tally.ts';
import { letGo, type Track } from './track.ts';

export interface ReadLogDeps {
  readonly outlet: Outlet;
  readonly logger: Logger;
  readonly maxLineBytes: number;
  readonly context: (track: Track) => ParseContext;
  readonly count: (
    name: 'holdfast_read_bytes_total' | 'holdfast_reads_total',
    amount: number,
    label: string,
  ) => void;
}

/** A file up to this size is read again when only its times changed: a rewrite may hide in its middle. */
const REREAD_BYTES = 1024 * 1024;

/** Bytes read before other files get their turn. */
const SLICE_BYTES = 4 * 1024 * 1024;

/**
 * Reads a log from where it stands; returns whether there is more for a further slice. Takes over `file`:
 * it stays open with the track, so that what is appended before an unlink can still be read.
 */
export function readLog(track: Track, spec: LogSpec, file: OpenedFile, deps: ReadLogDeps): boolean {
  const change = changeOf(track, file);
  const isReread = change === 'touched' && file.facts.size <= REREAD_BYTES;
  if (isReread) letGo(track);
  if (change === 'new') track.cursor = undefined;
  if (change === 'replaced' || change === 'truncated' || change === 'rewritten')
    startOver(track, file, change, deps);
  if (track.held !== file) track.held?.[Symbol.dispose]();
  track.held = file;
  track.live ??= openLog(track, spec, isReread ? undefined : track.cursor, deps);
  const live = track.live;
  const before = live.offset;
  const more = live.advance(file, SLICE_BYTES, () => {
    if (deps.outlet.isFull()) commit(track, live, file, deps);
  });
  commit(track, live, file, deps);
  deps.count('holdfast_read_bytes_total', live.offset - before, track.ref.root.source.id);
  return more;
}

/** The path is gone or names another file: what the old one still holds is read through the open descriptor. */
export function drainHeld(track: Track, deps: ReadLogDeps): void {
  const { held, live } = track;
  if (!held || !live) return;
  held.refresh();
  while (live.advance(held, SLICE_BYTES, () => deps.outlet.isFull() && deps.outlet.flush(track, undefined)));
  live.finishRest(held);
  deps.outlet.flush(track, undefined);
}

/** Takes an unfinished last line that has not changed for the settle time as it is. */
export function settleLog(track: Track, deps: ReadLogDeps): void {
  const { held, live } = track;
  if (!held || !live) return;
  held.refresh();
  if (live.restOf(held) === 0) return;
  live.finishRest(held);
  const { id: source, version } = track.ref.root.source;
  const next = { ...live.cursor(held, { source, version }), tally: track.tally };
  const isTold = next.restTold === true && track.cursor?.restTold !== true;
  if (isTold) track.cursor = next;
  deps.outlet.flush(track, isTold ? next : undefined);
}

/** touched: other times, same size, same text around the cursor. What changed in between cannot be seen. */
type LogChange = FileChange | 'new' | 'touched';

function changeOf(track: Track, file: OpenedFile): LogChange {
  const { cursor } = track;
  if (!cursor) return 'new';
  if (cursor.version !== track.ref.root.source.version && !track.live) {
    return isSameFile(file.facts, cursor) ? 'new' : 'replaced';
  }
  const change = compareWith(file, cursor);
  const isTouched = change === 'grown' && file.facts.size === cursor.offset && cursor.size === cursor.offset;
  return isTouched ? 'touched' : change;
}

/**
 * The file is no longer the one that was read: finish the old one, say so in a row, begin at byte 0. Rows
 * that were in both have the same ids.
 */
function startOver(track: Track, file: OpenedFile, change: FileChange, deps: ReadLogDeps): void {
  const { cursor } = track;
  if (change === 'replaced') drainHeld(track, deps);
  letGo(track);
  track.cursor = undefined;
  deps.count('holdfast_reads_total', 1, change);
  if (cursor) deps.outlet.emit(track, changeRow(cursor, file, change));
}

function openLog(track: Track, spec: LogSpec, cursor: Cursor | undefined, deps: ReadLogDeps): LiveLog {
  if (!cursor) track.tally = NO_ROWS;
  return new LiveLog({
    parser: spec.open(deps.context(track)),
    maxLineBytes: deps.maxLineBytes,
    silentUntil: cursor?.offset ?? 0,
    restToldAt: track.cursor?.restTold ? track.cursor.offset : undefined,
    emit: (draft) => deps.outlet.emit(track, draft),
    onParserError: (error, line) =>
      deps.logger.error('a parser failed on a line', {
        event: 'parser.bug',
        source: track.ref.root.source.id,
        file: track.ref.key,
        line,
        reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      }),
  });
}

/** While a log is replayed for its state there is nothing new to say of it. */
function commit(track: Track, live: LiveLog, file: OpenedFile, { outlet }: ReadLogDeps): void {
  const { id, version } = track.ref.root.source;
  if (track.cursor && live.offset < track.cursor.offset) return;
  const next = { ...live.cursor(file, { source: id, version }), tally: track.tally };
  const moved = !track.cursor || track.cursor.offset !== next.offset || track.cursor.mtimeNs !== next.mtimeNs;
  track.cursor = next;
  outlet.flush(track, moved ? next : undefined);
}

const CHANGE_TEXT = {
  same: '',
  grown: '',
  replaced: 'source file replaced by another',
  truncated: 'source file cut',
  rewritten: 'source file rewritten in place',
} as const satisfies Record<FileChange, string>;

/** Identity is that of the two texts, not of the moment: the same change seen again is the same row. */
function changeRow(cursor: Cursor, file: OpenedFile, change: FileChange): DraftRow {
  return {
    record: `changed:${cursor.head}:${cursor.tail}`,
    part: 'source.changed',
    content: `${change} ${file.facts.birthNs} ${file.facts.size}`,
    turn_type: 'system',
    event: 'source.changed',
    session_id: cursor.session,
    timestamp_utc: isoTime(file.facts.mtimeMs),
    timestamp_source: 'file',
    text: `${CHANGE_TEXT[change]}: ${cursor.offset} bytes had been read, ${file.facts.size} are there now`,
    attributes: { change, bytes_read: cursor.offset, bytes_now: file.facts.size },
  };
}
