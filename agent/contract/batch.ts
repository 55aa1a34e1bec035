import { hash } from 'node:crypto';
import { linesOf } from './lines.ts';
import type { Batch } from './sink.ts';

const LINE_FEED = Buffer.from('\n');
const ID_HEX_DIGITS = 32;

/** The id of a batch: half a SHA-256 over its row ids in their order, as hex. */
export function batchIdOf(rowIds: readonly string[]): string {
  return hash('sha256', rowIds.join('\n'), 'hex').slice(0, ID_HEX_DIGITS);
}

/** The rows of a batch at the given ascending indices, as a batch of its own with its own id. */
export function subBatch(batch: Batch, indices: readonly number[]): Batch {
  const lines = pickLines(batch.ndjson, indices);
  const rowIds = pickIds(batch.rowIds, indices);
  return {
    id: batchIdOf(rowIds),
    lane: batch.lane,
    rows: rowIds.length,
    firstSeq: seqOf(lines.at(0)) ?? batch.firstSeq,
    lastSeq: seqOf(lines.at(-1)) ?? batch.lastSeq,
    ndjson: Buffer.concat(lines.flatMap((line) => [line, LINE_FEED])),
    rowIds,
    ...(batch.epoch === undefined ? {} : { epoch: batch.epoch }),
  };
}

function pickIds(rowIds: readonly string[], indices: readonly number[]): string[] {
  return indices.map((index) => {
    const rowId = rowIds[index];
    if (rowId === undefined) throw new RangeError(`a batch of ${rowIds.length} rows has no row ${index}`);
    return rowId;
  });
}

function pickLines(ndjson: Buffer, indices: readonly number[]): Buffer[] {
  const picked: Buffer[] = [];
  let row = 0;
  for (const line of linesOf(ndjson)) {
    if (indices[picked.length] === row++) picked.push(line);
    if (picked.length === indices.length) break;
  }
  return picked;
}

/** `seq` is the first field of a row's wire form, so the rest of a line, which may be long, is not read. */
function seqOf(line: Buffer | undefined): number | undefined {
  const match = /^\{"seq":(\d{1,16})\b/.exec(line?.toString('latin1', 0, 32) ?? '');
  return match ? Number(match[1]) : undefined;
}
