import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { CommittedRows } from '../contract/store.ts';

/** Committed rows in their order, and a word when there are more. */
export interface TailSource {
  /** Rows committed after a segment, oldest first, at most `limit` segments. */
  committedAfter(segment: number, limit: number): readonly CommittedRows[];
  lastSegment(): number;
  /** Calls the listener after every commit, until the returned function is called. */
  onCommit(listener: () => void): () => void;
}

/** What a reader was too slow for and the store no longer holds. */
export interface SkippedRows {
  readonly skipped: number;
}

const LINE_FEED = 0x0a;

/**
 * Writes rows to the reader as they are committed: from now, or those after the row number `since`.
 * One commit is in memory at a time, and the next is looked for only when the reader took this one; so a
 * slow reader costs nothing and catches up from the store. Rows that were pruned meanwhile show as a gap
 * in `seq`, and a line says how many. Ends when the reader goes away.
 */
export async function streamTail(source: TailSource, reader: Writable, since?: number): Promise<void> {
  let { segment, seq } = startOf(source, since);
  let isOpen = !reader.destroyed;
  let news = Promise.withResolvers<void>();
  const stop = source.onCommit(() => news.resolve());
  reader.once('close', () => {
    isOpen = false;
    news.resolve();
  });
  try {
    while (isOpen) {
      news = Promise.withResolvers<void>();
      const [commit] = source.committedAfter(segment, 1);
      if (!commit) {
        await news.promise;
        continue;
      }
      segment = commit.segment;
      const rows = rowsAfter(commit.ndjson, seq);
      const skipped = seq === undefined || rows.length === 0 ? 0 : seqOf(rows) - seq - 1;
      if (skipped > 0) await write(reader, `${JSON.stringify({ skipped } satisfies SkippedRows)}\n`);
      await write(reader, rows);
      seq = lastSeq(commit.ndjson);
    }
  } finally {
    stop();
  }
}

/** A number that was never reached comes from an earlier life of the store: then from now, like none. */
function startOf(
  source: TailSource,
  since: number | undefined,
): { segment: number; seq: number | undefined } {
  const last = source.lastSegment();
  const [newest] = source.committedAfter(last - 1, 1);
  if (since === undefined || !newest || lastSeq(newest.ndjson) < since)
    return { segment: last, seq: undefined };
  return { segment: segmentBefore(source, since), seq: since };
}

/** Number of the first row of some lines; `seq` is the first field of every row. */
function seqOf(ndjson: Buffer): number {
  const head = ndjson.toString('latin1', 0, 40);
  const match = /^\{"seq":(\d+)/.exec(head);
  if (!match) throw new Error('a committed row does not begin with its seq');
  return Number(match[1]);
}

function lastSeq(ndjson: Buffer): number {
  return seqOf(ndjson.subarray(ndjson.lastIndexOf(LINE_FEED, ndjson.length - 2) + 1));
}

/** The lines whose number is above `seq`. */
function rowsAfter(ndjson: Buffer, seq: number | undefined): Buffer {
  let rest = ndjson;
  while (seq !== undefined && rest.length > 0 && seqOf(rest) <= seq) {
    rest = rest.subarray(rest.indexOf(LINE_FEED) + 1);
  }
  return rest;
}

/** The largest segment all of whose rows are at or below `seq`; numbers of segments and rows rise together. */
function segmentBefore(source: TailSource, seq: number): number {
  let [low, high] = [0, source.lastSegment()];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [next] = source.committedAfter(middle, 1);
    if (next && lastSeq(next.ndjson) <= seq) low = next.segment;
    else high = middle;
  }
  return low;
}

async function write(reader: Writable, chunk: Buffer | string): Promise<void> {
  if (chunk.length === 0 || reader.destroyed || reader.write(chunk)) return;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  reader.once('close', onClose);
  await once(reader, 'drain', { signal: gone.signal }).catch(() => undefined);
  reader.off('close', onClose);
}
