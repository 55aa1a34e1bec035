import { linesOf } from '../contract/lines.ts';
import type { BatchLimits } from '../contract/store.ts';

/** Row indices of an NDJSON body in runs that keep to both limits; a longer line is a run of its own. */
export function chunksOf(ndjson: Buffer, { maxRows, maxBytes }: BatchLimits): number[][] {
  const chunks: number[][] = [];
  let room = 0;
  let row = 0;
  for (const line of linesOf(ndjson)) {
    const bytes = line.length + 1;
    const chunk = chunks.at(-1);
    if (chunk && bytes <= room && chunk.length < maxRows) chunk.push(row);
    else {
      chunks.push([row]);
      room = maxBytes;
    }
    room -= bytes;
    row++;
  }
  return chunks;
}

/** The half to send first, never the larger one, and the other half. */
export function halvesOf(indices: readonly number[], fromEnd = false): readonly [number[], number[]] {
  if (fromEnd) {
    const middle = Math.ceil(indices.length / 2);
    return [indices.slice(middle), indices.slice(0, middle)];
  }
  const middle = indices.length >> 1;
  return [indices.slice(0, middle), indices.slice(middle)];
}
