import type { OpenedFile } from '../open-file.ts';
import { isPageSize } from './header.ts';
import type { Overlay } from './pages.ts';

/** First bytes of a journal whose pages may be needed (file format, section 3); zeros in their place: it is done with. */
const MAGIC = Buffer.from('d9d505f920a163d7', 'hex');
const HEADER_BYTES = 28;
const ALL_RECORDS = 0xffffffff;

interface Section {
  readonly records: number;
  readonly nonce: number;
  readonly pagesBefore: number;
  readonly sectorBytes: number;
  readonly pageBytes: number;
}

/** Whether a transaction is being written, or was left half written. */
export function isLiveJournal(file: OpenedFile): boolean {
  return file.facts.size > 0 && file.read(0, MAGIC.length).equals(MAGIC);
}

/** Whether the transaction spans several databases: then this journal alone does not say what holds. */
export function namesAnother(file: OpenedFile): boolean {
  const { size } = file.facts;
  return size > HEADER_BYTES + 16 && file.read(size - 8, 8).equals(MAGIC);
}

/**
 * The pages as they were before the unfinished transaction: what SQLite would write back, in memory only. Undefined
 * when the journal says nothing that can be used, which means that nothing was changed yet.
 */
export function journalOverlay(file: OpenedFile): Overlay | undefined {
  const places = new Map<number, number>();
  const first = readSection(file, 0);
  if (!first) return undefined;
  let at = 0;
  for (let section: Section | undefined = first; section; section = readSection(file, at)) {
    const records = readRecords(
      file,
      { section, start: at + section.sectorBytes, size: first.pageBytes },
      places,
    );
    if (records.isCut) break;
    at = Math.ceil(records.end / first.sectorBytes) * first.sectorBytes;
    if (at + HEADER_BYTES > file.facts.size) break;
  }
  return {
    count: first.pagesBefore,
    find(page) {
      const position = places.get(page);
      return position === undefined ? undefined : { file, position };
    },
  };
}

function readSection(file: OpenedFile, at: number): Section | undefined {
  const bytes = file.read(at, HEADER_BYTES);
  if (bytes.length < HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const sectorBytes = bytes.readUInt32BE(20);
  const pageBytes = bytes.readUInt32BE(24);
  if (at === 0 && (!isPageSize(pageBytes) || sectorBytes < 32 || sectorBytes > 65_536)) return undefined;
  return {
    records: bytes.readUInt32BE(8),
    nonce: bytes.readUInt32BE(12),
    pagesBefore: bytes.readUInt32BE(16),
    sectorBytes,
    pageBytes,
  };
}

/** The first copy of a page is the oldest, and that is the one which counts. A record whose sum is wrong ends all. */
function readRecords(
  file: OpenedFile,
  { section, start, size }: { section: Section; start: number; size: number },
  places: Map<number, number>,
): { end: number; isCut: boolean } {
  const most = Math.floor((file.facts.size - start) / (size + 8));
  const records = section.records === ALL_RECORDS ? most : section.records;
  let at = start;
  for (let record = 0; record < records; record++, at += size + 8) {
    const bytes = record < most ? file.read(at, size + 8) : Buffer.alloc(0);
    if (bytes.length < size + 8 || checksum(bytes, size, section.nonce) !== bytes.readUInt32BE(size + 4))
      return { end: at, isCut: true };
    const page = bytes.readUInt32BE(0);
    if (!places.has(page)) places.set(page, at + 4);
  }
  return { end: at, isCut: false };
}

function checksum(record: Buffer, pageBytes: number, nonce: number): number {
  let sum = nonce;
  for (let at = pageBytes - 200; at > 0; at -= 200) sum = (sum + (record[4 + at] ?? 0)) >>> 0;
  return sum;
}
