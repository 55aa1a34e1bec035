import type { FileFacts, OpenedFile } from '../open-file.ts';
import type { Counter, ReadOutcome } from '../reading.ts';
import { letGo, type Track } from '../track.ts';
import { isSame } from './take.ts';
import { holdsMore, unreadPin } from './unread.ts';
import type { Pin, Vault } from './vault.ts';

interface PinReaderDeps {
  readonly vault: Vault;
  readonly count: Counter;
  /** Reads an opened file as the track's. */
  readonly readOpened: (track: Track, file: OpenedFile) => ReadOutcome;
  /** Takes the unfinished end of a log as it is. */
  readonly settle: (track: Track) => void;
}

/** Reads files from their pins: what stood under a path before, or was in a file before it was cut. */
export interface PinReader {
  /** The pin to read before what stands under the path now. */
  unread(track: Track, present: FileFacts | undefined): Pin | undefined;
  /** `more`: it was read to its end, or is no good; further pins, or the path, come next. */
  read(track: Track, pin: Pin): ReadOutcome;
  /** What was read through a descriptor that was still open need not be read from the pin again. */
  drained(track: Track): void;
}

/** A log that the cursor has come to the end of was read, whichever file stands under the name next. */
function noteRead(track: Track, pins: readonly Pin[]): void {
  const { cursor, ref } = track;
  if (ref.spec.kind !== 'log') return;
  for (const pin of pins)
    if (cursor && pin.readSize === undefined && isSame(pin, cursor) && !holdsMore(pin, track))
      pin.readSize = cursor.offset;
}

export function createPinReader({ vault, count, readOpened, settle }: PinReaderDeps): PinReader {
  /** Nobody writes on in what is gone: an unfinished end is all there will be. */
  function settleFinal(track: Track, pin: Pin): ReadOutcome {
    if (track.ref.spec.kind === 'log') {
      settle(track);
      return 'done';
    }
    const again = vault.open(pin);
    if (!again) return 'later';
    readOpened(track, again);
    return 'done';
  }

  return {
    unread(track, present) {
      const pins = vault.of(track.ref.key);
      noteRead(track, pins);
      return unreadPin(track, pins, present);
    },
    read(track, pin) {
      const file = vault.open(pin);
      if (!file) return vault.of(pin.key).includes(pin) ? 'later' : 'more';
      const { size } = file.facts;
      track.wasGone ||= track.seen === undefined;
      const outcome = readOpened(track, file);
      const final = outcome === 'settle' ? settleFinal(track, pin) : outcome;
      if (final !== 'done') return final;
      pin.readSize = size;
      letGo(track);
      count('holdfast_reads_total', 1, { outcome: 'pinned' });
      return 'more';
    },
    drained({ held, ref }) {
      if (!held) return;
      const { facts } = held;
      for (const pin of vault.of(ref.key))
        if (isSame(pin, facts) && pin.size <= facts.size)
          pin.readSize = pin.kind === 'copy' ? pin.size : facts.size;
    },
  };
}
