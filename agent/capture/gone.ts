import { isoTime } from '../contract/clock.ts';
import type { Attributes, DraftRow } from '../contract/row.ts';
import type { RetentionSetting, SmallFiles } from '../contract/source.ts';
import type { FileFacts } from './open-file.ts';
import type { Outlet } from './outlet.ts';
import { tellStandingGone } from './read-standing.ts';
import type { Track } from './track.ts';

type KnownFile = Pick<FileFacts, 'birthNs' | 'size' | 'mtimeNs'>;

const DAY_MS = 86_400_000;

/** Tells that a file went away: a session, or settings and grants with everything that they said. */
export function tellGone(
  track: Track,
  known: KnownFile,
  { outlet, small, now }: { readonly outlet: Outlet; readonly small: SmallFiles; readonly now: number },
): void {
  const { role } = track.ref.spec;
  const retention = track.ref.root.source.retentionNow?.(small);
  if (role === 'primary')
    outlet.emit(track, goneRow(track, known, retention ? retentionFacts(retention, known, now) : {}));
  if (role === 'standing') tellStandingGone(track, known, outlet);
}

/**
 * The row that says a source file went away. Its birth time makes it this file and no other of the same
 * name; only a running agent, or one that ran before, can see this.
 */
function goneRow(track: Track, known: KnownFile, retention: Attributes): DraftRow {
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
    attributes: {
      bytes_read: readBytes,
      last_changed: lastChange,
      file_kind: track.ref.spec.name,
      ...retention,
    },
  };
}

/** The setting in force, and whether the file was old enough for it: the likely cause, no proof of it. */
function retentionFacts({ setting, days }: RetentionSetting, known: KnownFile, now: number): Attributes {
  const ageMs = now - Number(BigInt(known.mtimeNs) / 1_000_000n);
  return { retention_setting: setting, retention_days: days, expired: ageMs >= days * DAY_MS };
}
