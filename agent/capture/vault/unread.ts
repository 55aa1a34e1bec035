import type { Cursor } from '../../contract/commit.ts';
import type { FileFacts } from '../open-file.ts';
import type { Track } from '../track.ts';
import type { FileIdentity } from './pin-name.ts';
import { factsAt, isSame } from './take.ts';
import type { Pin } from './vault.ts';

/** A copy keeps the time of its file, but for less than this. */
const COPY_MS = 1;

/**
 * The pin to read before what stands under the path now, the one made first in front: it holds what no read has seen.
 * `present` is what stands there; undefined when nothing does.
 */
export function unreadPin(
  track: Track,
  pins: readonly Pin[],
  present: FileFacts | undefined,
): Pin | undefined {
  return pins.find((pin) => isNeeded(pin, track, present) && holdsMore(pin, track));
}

/** What can be read under the path itself, or through a descriptor that is still open, needs no pin. */
function isNeeded(pin: Pin, { held }: Track, present: FileFacts | undefined): boolean {
  if (present && isSame(pin, present)) return pin.kind === 'copy' && present.size < pin.size;
  return pin.kind === 'copy' || held === undefined || !isSame(pin, held.facts);
}

/** Whether a pin holds what no read has seen. */
export function holdsMore(pin: Pin, { cursor, ref }: Pick<Track, 'cursor' | 'ref'>): boolean {
  const facts = factsAt(pin.path);
  if (!facts || facts.size === 0 || facts.size === pin.readSize) return false;
  if (!cursor) return true;
  if (!isSame(pin, cursor)) return isLater(pin, cursor);
  if (ref.spec.kind === 'log') return facts.size > cursor.offset;
  return facts.size !== cursor.size || Math.abs(facts.mtimeMs - msOf(cursor.mtimeNs)) > COPY_MS;
}

function msOf(ns: string): number {
  return Number(BigInt(ns) / 1_000_000n);
}

/** Files under one name are read in the order of their births; file systems without these tell no order. */
function isLater(pin: FileIdentity, cursor: Pick<Cursor, 'birthNs'>): boolean {
  return pin.birthNs === '0' || BigInt(pin.birthNs) > BigInt(cursor.birthNs);
}
