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
  /** Place behind the last commit, and the running sums there. What follows may be rolled back and written over. */
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
  for (;;) {
    if (!takeCommits(file, index, until)) return { index, more: false };
    if (until()) return { index, more: true };
  }
}

/** Takes whole transactions until the slice is over; says whether any was there. */
function takeCommits(file: OpenedFile, index: WalIndex, until: () => boolean): boolean {
  const start = index.end;
  for (const frame of framesBehind(file, index)) {
    if (frame.commit === 0) continue;
    index.count = frame.commit;
    for (const [page, position] of frame.open) index.places.set(page, position);
    frame.open.clear();
    index.end = frame.end;
    index.sums = frame.sums;
    if (until()) break;
  }
  return index.end > start;
}

interface Frame {
  /** Pages of the database when this frame ends a transaction, else 0. */
  readonly commit: number;
  /** Frames of the transaction so far, this one included: places by page. */
  readonly open: Map<number, number>;
  readonly end: number;
  readonly sums: readonly [number, number];
}

/** The frames behind the last commit that belong to this life of the log and are whole. */
function* framesBehind(file: OpenedFile, index: WalIndex): Generator<Frame> {
  const frameBytes = FRAME_HEADER_BYTES + index.pageBytes;
  const batch = Math.max(1, Math.floor(BATCH_BYTES / frameBytes)) * frameBytes;
  const open = new Map<number, number>();
  let { end, sums } = index;
  for (;;) {
    const bytes = file.read(end, end === index.end ? frameBytes : batch);
    let at = 0;
    for (; at + frameBytes <= bytes.length; at += frameBytes) {
      const frame = bytes.subarray(at, at + frameBytes);
      const next = sumsOf(index, frame, sums);
      if (!next) return;
      open.set(frame.readUInt32BE(0), end + FRAME_HEADER_BYTES);
      end += frameBytes;
      sums = next;
      yield { commit: frame.readUInt32BE(4), open, end, sums };
    }
    if (at === 0) return;
  }
}

/** Whether nothing was committed and nothing began anew since the index was brought up to date. */
export function isWalUnmoved(file: OpenedFile, index: WalIndex): boolean {
  if (!file.read(0, WAL_HEADER_BYTES).equals(index.header)) return false;
  for (const { commit } of framesBehind(file, index)) if (commit > 0) return false;
  return true;
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
    end: WAL_HEADER_BYTES,
    sums,
    count: 0,
  };
}

/** The running sums behind a frame; undefined when it is of another life of the log, or not whole. */
function sumsOf(
  index: WalIndex,
  frame: Buffer,
  before: readonly [number, number],
): readonly [number, number] | undefined {
  if (!hasSalts(frame, index)) return undefined;
  const head = sumOf(frame.subarray(0, 8), index.isBigEndian, before);
  const sums = sumOf(frame.subarray(FRAME_HEADER_BYTES), index.isBigEndian, head);
  return sums[0] === frame.readUInt32BE(16) && sums[1] === frame.readUInt32BE(20) ? sums : undefined;
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
