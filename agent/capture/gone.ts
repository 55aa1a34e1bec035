import { isoTime } from '../contract/clock.ts';
import type { DraftRow } from '../contract/row.ts';
import type { FileFacts } from './open-file.ts';
import type { Outlet } from './outlet.ts';
import { tellStandingGone } from './read-standing.ts';
import type { Track } from './track.ts';

/** Tells that a file went away: a session, or settings and grants with everything that they said. */
export function tellGone(
  track: Track,
  known: Pick<FileFacts, 'birthNs' | 'size' | 'mtimeNs'>,
  outlet: Outlet,
): void {
  const { role } = track.ref.spec;
  if (role === 'primary') outlet.emit(track, goneRow(track, known));
  if (role === 'standing') tellStandingGone(track, known, outlet);
}

/**
 * The row that says a source file went away. Its birth time makes it this file and no other of the same
 * name; only a running agent, or one that ran before, can see this.
 */
function goneRow(track: Track, known: Pick<FileFacts, 'birthNs' | 'size' | 'mtimeNs'>): DraftRow {
  const session = track.cursor?.session ?? null;
  const readBytes = track.cursor?.offset ?? 0;
  const lastChange = isoTime(Number(BigInt(known.mtimeNs) / 1_000_000n));
  return {
    record: `gone:${known.birthNs}`,
    part: 'session.deleted',
    content: session ?? '',
    turn_type: 'system',
    event: 'session.deleted',
    session_id: session,
    text: `session file deleted: last changed ${lastChange}, ${readBytes} bytes had been read`,
    attributes: { bytes_read: readBytes, last_changed: lastChange },
  };
}
