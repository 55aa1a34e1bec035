import type { OpenedFile } from '../open-file.ts';
import type { Overlay } from './pages.ts';

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Last bit: whether its sums are over big-endian words (file format, section 4.1). */
const MAGIC = 0x377f0682;
/** Frames taken in between two looks at the clock. */
const BATCH_BYTES = 1024 * 1024;

/** What a write-ahead log holds up to its last commit. Kept between reads: only new frames are looked at. */
export interface WalIndex {
  readonly pageBytes: number;
  /** The header of this life of the log; another one means that it began anew. */
  readonly header: Buffer;
  readonly isBigEndian: boolean;
  /** Newest committed frame of each page, as a place in the file. */
  readonly places: Map<number, number>;
  /** Frames behind the last commit: not part of the database yet. */
  readonly open: Map<number, number>;
  /** Place behind the last frame that was taken, and the running sums there. */
  end: number;
  sums: readonly [number, number];
  /** Pages of the database after the last commit; 0 before any. */
  count: number;
}

/**
 * Brings the index up to date, or begins one. `more`: it is a long log and goes on in a further slice. Undefined: the
 * file is no log that counts.
 */
export function followWal(
  file: OpenedFile,
  known: WalIndex | undefined,
  until: () => boolean,
): { readonly index: WalIndex; readonly more: boolean } | undefined {
  const header = file.read(0, WAL_HEADER_BYTES);
  const index = known?.header.equals(header) ? known : beginIndex(header);
  if (!index) return undefined;
  const frameBytes = FRAME_HEADER_BYTES + index.pageBytes;
  const batch = Math.max(1, Math.floor(BATCH_BYTES / frameBytes)) * frameBytes;
  for (;;) {
    const bytes = file.read(index.end, batch);
    let at = 0;
    while (at + frameBytes <= bytes.length && takeFrame(index, bytes.subarray(at, at + frameBytes)))
      at += frameBytes;
    if (at < batch) return { index, more: false };
    if (until()) return { index, more: true };
  }
}

/** Whether nothing was committed and nothing began anew since the index was brought up to date. */
export function isWalUnmoved(file: OpenedFile, index: WalIndex): boolean {
  if (!file.read(0, WAL_HEADER_BYTES).equals(index.header)) return false;
  const next = file.read(index.end, FRAME_HEADER_BYTES);
  return next.length < FRAME_HEADER_BYTES || !hasSalts(next, index);
}

export function walOverlay(file: OpenedFile, { places, count }: WalIndex): Overlay | undefined {
  if (count === 0) return undefined;
  return {
    count,
    find(page) {
      const position = places.get(page);
      return position === undefined ? undefined : { file, position };
    },
  };
}

function beginIndex(header: Buffer): WalIndex | undefined {
  if (header.length < WAL_HEADER_BYTES) return undefined;
  const magic = header.readUInt32BE(0);
  const stored = header.readUInt32BE(8);
  if ((magic & ~1) >>> 0 !== MAGIC || stored < 512 || stored > 65_536) return undefined;
  const isBigEndian = (magic & 1) === 1;
  const sums = sumOf(header.subarray(0, 24), isBigEndian, [0, 0]);
  if (sums[0] !== header.readUInt32BE(24) || sums[1] !== header.readUInt32BE(28)) return undefined;
  return {
    pageBytes: stored,
    header: Buffer.from(header),
    isBigEndian,
    places: new Map(),
    open: new Map(),
    end: WAL_HEADER_BYTES,
    sums,
    count: 0,
  };
}

/** Takes the next frame when it belongs to this life of the log and is whole; a commit makes the open ones count. */
function takeFrame(index: WalIndex, frame: Buffer): boolean {
  if (!hasSalts(frame, index)) return false;
  const head = sumOf(frame.subarray(0, 8), index.isBigEndian, index.sums);
  const sums = sumOf(frame.subarray(FRAME_HEADER_BYTES), index.isBigEndian, head);
  if (sums[0] !== frame.readUInt32BE(16) || sums[1] !== frame.readUInt32BE(20)) return false;
  index.open.set(frame.readUInt32BE(0), index.end + FRAME_HEADER_BYTES);
  index.sums = sums;
  index.end += frame.length;
  const commit = frame.readUInt32BE(4);
  if (commit === 0) return true;
  index.count = commit;
  for (const [page, position] of index.open) index.places.set(page, position);
  index.open.clear();
  return true;
}

function hasSalts(frame: Buffer, { header }: WalIndex): boolean {
  return frame.compare(header, 16, 24, 8, 16) === 0;
}

function sumOf(
  bytes: Buffer,
  isBigEndian: boolean,
  [first, second]: readonly [number, number],
): readonly [number, number] {
  let [a, b] = [first, second];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + view.getUint32(at, !isBigEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, !isBigEndian) + a) >>> 0;
  }
  return [a, b];
}
