import { Malformed, noting } from './malformed.ts';
import type { Pages } from './pages.ts';
import { readVarint } from './varint.ts';

/** A record as its leaf page holds it. */
export interface TableCell {
  readonly rowid: number;
  /** Bytes of the whole record. */
  readonly bytes: number;
  /** The part of it that stands on the leaf page; a copy. */
  readonly local: Buffer;
  /** Page on which the record goes on, or 0. */
  readonly overflow: number;
}

const LEAF = 0x0d;
const INTERIOR = 0x05;
/** Trees are a few levels deep; a deeper one was made to keep us busy. */
const MAX_DEPTH = 20;

export interface TreeWalk {
  readonly pages: Pages;
  /** Called for every page that cannot be read; what lies below it is left out. */
  readonly onBad: (error: Malformed) => void;
  /** Throws when the walk has taken too long. */
  readonly check: () => void;
}

/** The records of a table, in order of their rowids (file format, section 1.6). */
export function* tableCells(root: number, walk: TreeWalk): Generator<TableCell> {
  yield* cellsBelow(root, { ...walk, seen: new Set() }, 0);
}

function* cellsBelow(
  number: number,
  walk: TreeWalk & { readonly seen: Set<number> },
  depth: number,
): Generator<TableCell> {
  walk.check();
  const node = noting(walk, () => readNode(number, walk, depth));
  if (!node) return;
  for (const cell of node.cells) yield cell;
  for (const child of node.children) yield* cellsBelow(child, walk, depth + 1);
}

interface Node {
  readonly cells: readonly TableCell[];
  readonly children: readonly number[];
}

function readNode(
  number: number,
  { pages, seen, onBad }: TreeWalk & { readonly seen: Set<number> },
  depth: number,
): Node {
  if (depth > MAX_DEPTH || seen.has(number)) throw new Malformed('a page that is its own parent', number);
  seen.add(number);
  const bytes = pages.page(number);
  const start = number === 1 ? 100 : 0;
  const kind = bytes[start];
  if (kind !== LEAF && kind !== INTERIOR) throw new Malformed('no page of a table', number);
  const places = cellPlaces(bytes, start + (kind === LEAF ? 8 : 12), { start, number, pages });
  if (kind === LEAF) return { cells: leafCells(bytes, places, { number, pages, onBad }), children: [] };
  const children = places.map((at) => (at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0));
  return { cells: [], children: [...children, bytes.readUInt32BE(start + 8)] };
}

function cellPlaces(
  bytes: Buffer,
  at: number,
  { start, number, pages }: { start: number; number: number; pages: Pages },
): number[] {
  const count = bytes.readUInt16BE(start + 3);
  if (at + count * 2 > pages.header.usableBytes) throw new Malformed('too many cells on a page', number);
  return Array.from({ length: count }, (_, index) => bytes.readUInt16BE(at + index * 2));
}

function leafCells(
  bytes: Buffer,
  places: readonly number[],
  walk: { number: number; pages: Pages; onBad: TreeWalk['onBad'] },
): TableCell[] {
  return places.flatMap((at) => noting(walk, () => readCell(bytes, at, walk)) ?? []);
}

function readCell(bytes: Buffer, at: number, { number, pages }: { number: number; pages: Pages }): TableCell {
  const { usableBytes } = pages.header;
  const size = readVarint(bytes, at);
  const rowid = size && readVarint(bytes, size.next);
  if (!size || !rowid || size.value < 1) throw new Malformed('a broken cell', number);
  if (size.value > pages.count * usableBytes)
    throw new Malformed('a record larger than the database', number);
  const length = localBytes(size.value, usableBytes);
  const end = rowid.next + length;
  const spills = length < size.value;
  if (end + (spills ? 4 : 0) > usableBytes) throw new Malformed('a cell beyond its page', number);
  return {
    rowid: rowid.value,
    bytes: size.value,
    local: Buffer.from(bytes.subarray(rowid.next, end)),
    overflow: spills ? bytes.readUInt32BE(end) : 0,
  };
}

/** How much of a record stands on a leaf page (file format, section 1.6). */
function localBytes(size: number, usable: number): number {
  if (size <= usable - 35) return size;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const kept = least + ((size - least) % (usable - 4));
  return kept <= usable - 35 ? kept : least;
}
