import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { CommitRows } from '../contract/commit.ts';
import { linesOf } from '../contract/lines.ts';
import { ROW_ID_BYTES } from '../contract/row-id.ts';

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Rows of one commit that are new, sealed. */
export interface SealedSegment {
  readonly rows: number;
  /** Length of the rows as NDJSON. */
  readonly bytes: number;
  readonly ids: Buffer;
  readonly body: Buffer;
}

/** Seals the rows named by `kept`, numbering them from firstSeq. */
export function sealSegment(rows: CommitRows, kept: readonly number[], firstSeq: number): SealedSegment {
  const ndjson = numberLines(rows, kept, firstSeq);
  const ids = Buffer.allocUnsafe(kept.length * ROW_ID_BYTES);
  for (const [place, row] of kept.entries()) {
    rows.ids.copy(ids, place * ROW_ID_BYTES, row * ROW_ID_BYTES, (row + 1) * ROW_ID_BYTES);
  }
  return { rows: kept.length, bytes: ndjson.length, ids, body: zstdCompressSync(ndjson, LEVEL) };
}

export function unsealSegment(body: Buffer): Buffer {
  return zstdDecompressSync(body);
}

/** The keeper never parses a row: `seq` is written in front of the fields that capture serialised. */
function numberLines(rows: CommitRows, kept: readonly number[], firstSeq: number): Buffer {
  const parts: Buffer[] = [];
  let next = 0;
  let row = 0;
  for (const line of linesOf(rows.lines)) {
    if (kept[next] === row) {
      parts.push(Buffer.from(`{"seq":${firstSeq + next},`), line.subarray(1), NEWLINE);
      next++;
    }
    row++;
  }
  if (next !== kept.length || row !== rows.count)
    throw new Error('the rows of a commit do not match its count');
  return Buffer.concat(parts);
}

const NEWLINE = Buffer.from('\n');
