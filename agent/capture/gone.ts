import { isoTime } from '../contract/clock.ts';
import { DELETION_CAUSES, type DeletedFile, type DeletionCause, inTenths } from '../contract/lifecycle.ts';
import type { DraftRow } from '../contract/row.ts';
import type { FileFacts } from './open-file.ts';
import type { Track } from './track.ts';

type KnownFile = Pick<FileFacts, 'birthNs' | 'mtimeNs' | 'ino'>;

/** A session file that went away, and why that probably was. */
export interface Departure {
  readonly file: DeletedFile;
  readonly cause: DeletionCause;
  readonly known: KnownFile;
}

/**
 * The row that says a session file went away. Its birth time makes it this file and no other of the same name; only
 * a running agent, or one that ran before, can see this.
 */
export function goneRow(track: Track, { file, cause, known }: Departure): DraftRow {
  const session = track.cursor?.session ?? null;
  const lastChange = isoTime(Number(BigInt(known.mtimeNs) / 1_000_000n));
  const wasStopped = track.seen === undefined || track.wasGone;
  const { days } = file.retention;
  return {
    record: `gone:${identityOf(known)}`,
    part: 'session.deleted',
    content: session ?? '',
    turn_type: 'system',
    event: 'session.deleted',
    session_id: session,
    text: textOf(file, cause, wasStopped),
    attributes: {
      cause,
      age_days: inTenths(file.ageDays),
      ...(file.tally && { rows_held: file.tally.rows }),
      ...(days !== null && { retention_days: inTenths(days) }),
      while_stopped: wasStopped,
      file_kind: track.ref.spec.name,
      bytes_read: track.cursor?.offset ?? 0,
      last_changed: lastChange,
    },
  };
}

/** Some file systems keep no time of birth. */
function identityOf({ birthNs, ino, mtimeNs }: KnownFile): string {
  return birthNs === '0' ? `${ino} ${mtimeNs}` : birthNs;
}

function textOf({ ageDays, tally }: DeletedFile, cause: DeletionCause, wasStopped: boolean): string {
  const when = wasStopped ? ' while Holdfast was not running' : '';
  const held = tally ? `; ${tally.rows} rows of it are held` : '';
  return `session file deleted${when}: ${DELETION_CAUSES[cause]}; its last record was ${inTenths(ageDays)} days old${held}`;
}

/** The row for a session from before: how long the coding agent will still keep it. */
export function expiryRow(track: Track, left: number, days: number): DraftRow {
  const session = track.cursor?.session ?? null;
  const count = Math.abs(inTenths(left));
  const when = left < 0 ? `${count} days after its time` : `with ${count} days left`;
  return {
    record: `expiry:${track.seen?.birthNs ?? ''}`,
    part: 'session.expiry',
    content: session ?? '',
    turn_type: 'system',
    event: 'session.expiry',
    session_id: session,
    text: `session read ${when}: the coding agent keeps it for ${inTenths(days)} days`,
    attributes: { days_left: inTenths(left), retention_days: inTenths(days) },
  };
}
