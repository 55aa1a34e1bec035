/** The first 100 bytes of a database (file format, section 1.3). */
export const HEADER_BYTES = 100;

export interface DatabaseHeader {
  readonly pageBytes: number;
  /** Bytes of a page that hold content. */
  readonly usableBytes: number;
  /** Commits are in a write-ahead log. */
  readonly usesWal: boolean;
  /** Grows with every commit that is written into the file itself. */
  readonly counter: number;
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be';
}

const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');
const ENCODINGS = ['utf8', 'utf8', 'utf16le', 'utf16be'] as const;

/** Undefined when these bytes begin no database. */
export function readHeader(bytes: Buffer): DatabaseHeader | undefined {
  if (bytes.length < HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const stored = bytes.readUInt16BE(16);
  const pageBytes = stored === 1 ? 65_536 : stored;
  const usableBytes = pageBytes - (bytes[20] ?? 0);
  const encoding = ENCODINGS[bytes.readUInt32BE(56)];
  if (!isPageSize(pageBytes) || usableBytes < 480 || !encoding) return undefined;
  return { pageBytes, usableBytes, usesWal: bytes[18] === 2, counter: bytes.readUInt32BE(24), encoding };
}

export function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0;
}
