import { isoTime } from '../contract/clock.ts';
import type { DraftRow } from '../contract/row.ts';
import type { FileFacts } from './open-file.ts';
import type { Track } from './track.ts';

/**
 * The row that says a source file went away. Its birth time makes it this file and no other of the same
 * name; only a running agent, or one that ran before, can see this.
 */
export function goneRow(track: Track, known: Pick<FileFacts, 'birthNs' | 'size' | 'mtimeNs'>): DraftRow {
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
