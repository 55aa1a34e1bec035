import { RowWriter } from '../agent/capture/row-writer.ts';
import { batchIdOf } from '../agent/contract/batch.ts';
import { silentLogger } from '../agent/contract/logger.ts';
import { type DraftRow, TURN_TYPES } from '../agent/contract/row.ts';
import { rowIdFromBytes } from '../agent/contract/row-id.ts';
import type { Batch } from '../agent/contract/sink.ts';
import { systemClock } from '../agent/platform/clock.ts';
import type { Compression } from '../agent/sinks/config.ts';
import { createHttpSink } from '../agent/sinks/http/sink.ts';
import { sealSegment, unsealSegment } from '../agent/store/segment.ts';
import { createRng, type Rng } from './corpus/rng.ts';
import type { Bench, BenchOptions, BenchResult } from './lib/bench.ts';
import { judge } from './lib/budget.ts';
import { realText } from './lib/real-text.ts';
import { type Receiver, startReceiver } from './lib/receiver.ts';
import { sum } from './lib/stats.ts';
import { formatNumber } from './lib/table.ts';
import { tempFolder } from './lib/temp.ts';

export const wire: Bench = {
  name: 'wire',
  title: 'Bytes on the wire, against the JSON of the rows',
  run,
};

const BATCH_ROWS = [1, 10, 50, 500] as const;
const COMPRESSIONS = ['gzip', 'zstd'] as const;
/** From this size on the budget holds. */
const BUDGET_ROWS = 50;

interface Figure {
  readonly compression: Compression;
  readonly rows: number;
  readonly jsonBytesPerRow: number;
  readonly wireBytesPerRow: number;
  readonly ratio: number;
}

async function run({ quick }: BenchOptions): Promise<BenchResult> {
  let wireBytes: number[] = [];
  const receiver = await startReceiver((arrival) => wireBytes.push(arrival.wireBytes));
  const figures: Figure[] = [];
  for (const compression of COMPRESSIONS) {
    for (const rows of BATCH_ROWS) {
      wireBytes = [];
      const batches = makeBatches(rows, quick ? 2 : 10);
      await sendAll(receiver, compression, batches);
      const json = sum(batches.map(({ ndjson }) => ndjson.length));
      const count = rows * batches.length;
      figures.push({
        compression,
        rows,
        jsonBytesPerRow: json / count,
        wireBytesPerRow: sum(wireBytes) / count,
        ratio: sum(wireBytes) / json,
      });
    }
  }
  await receiver.close();
  return resultOf(figures);
}

function resultOf(figures: readonly Figure[]): BenchResult {
  return {
    tables: [
      {
        title: 'A row on the wire, request heads included',
        head: ['compression', 'rows a batch', 'bytes of JSON', 'bytes on the wire', 'ratio'],
        rows: figures.map(({ compression, rows, jsonBytesPerRow, wireBytesPerRow, ratio }) => [
          compression,
          String(rows),
          formatNumber(jsonBytesPerRow),
          formatNumber(wireBytesPerRow),
          ratio.toFixed(3),
        ]),
      },
    ],
    verdicts: figures
      .filter(({ rows }) => rows >= BUDGET_ROWS)
      .map(({ compression, rows, ratio }) =>
        judge(
          {
            what: `bytes on the wire against the rows' JSON: ${compression}, ${rows} rows a batch`,
            unit: 'x',
            bar: 0.35,
            aim: 0.28,
            better: 'lower',
          },
          ratio,
        ),
      ),
    notes: ['text of rows: pieces of documentation and code of npm packages, 80 to 8,000 characters'],
    figures: { figures },
  };
}

/** Through the product's own sink, so that what is counted is what it sends. */
async function sendAll(
  { url }: Receiver,
  compression: Compression,
  batches: readonly Batch[],
): Promise<void> {
  using temp = tempFolder('wire');
  const sink = createHttpSink(
    {
      type: 'http',
      id: 'bench',
      url,
      compression,
      timeoutMs: 10_000,
      allowInsecure: false,
      batch: { maxRows: 500, maxBytes: 2 ** 20 },
    },
    {
      clock: systemClock,
      logger: silentLogger,
      origin: { hostId: 'bench', epoch: temp.path },
      version: '0',
      secret: () => undefined,
    },
  );
  for (const batch of batches) {
    const result = await sink.send(batch, AbortSignal.timeout(10_000));
    if (result.kind !== 'accepted') throw new Error(`the batch was not accepted: ${result.kind}`);
  }
  await sink.close();
}

function makeBatches(rows: number, count: number): Batch[] {
  const rng = createRng(`wire ${rows}`);
  const text = realText();
  return Array.from({ length: count }, (_, index) =>
    makeBatch(rng, text, { rows, firstSeq: index * rows + 1 }),
  );
}

function makeBatch(
  rng: Rng,
  text: ReturnType<typeof realText>,
  { rows, firstSeq }: { rows: number; firstSeq: number },
): Batch {
  const writer = new RowWriter({
    id: '3f2a9c0d51e84b7793a6c1d2e0f4b586',
    name: 'laptop-17',
    labels: { team: 'platform', site: 'berlin' },
    maxTextBytes: 2 ** 20,
  });
  const facts = { session: rng.uuid(), ms: Date.UTC(2026, 10, 30, 9) };
  for (let row = 0; row < rows; row++) writer.add(draft(rng, text, facts), FILE, '2026-11-30T09:00:00.000Z');
  const written = writer.take();
  const kept = Array.from({ length: written.count }, (_, row) => row);
  const sealed = sealSegment(written, kept, firstSeq);
  const rowIds = kept.map((row) => rowIdFromBytes(written.ids.subarray(row * 16, row * 16 + 16)));
  return {
    id: batchIdOf(rowIds),
    lane: 'live',
    rows,
    firstSeq,
    lastSeq: firstSeq + rows - 1,
    ndjson: unsealSegment(sealed.body),
    rowIds,
  };
}

const FILE = {
  agent: 'gemini-cli',
  sourceFile: '.gemini/tmp/service/chats/session-2026-11-30T09-00-1f0c2b9e.jsonl',
  role: 'primary',
  backfill: false,
  user: 'alice',
} as const;

function draft(
  rng: Rng,
  text: ReturnType<typeof realText>,
  facts: { session: string; ms: number },
): DraftRow {
  facts.ms += rng.int(1_000, 60_000);
  const turn = rng.pick(TURN_TYPES);
  const isTool = turn === 'tool_use' || turn === 'tool_result';
  return {
    record: rng.uuid(),
    part: 'text',
    turn_type: turn,
    text: text(rng, rng.logInt(80, 8_000)),
    timestamp_utc: new Date(facts.ms).toISOString(),
    session_id: facts.session,
    project_path: '/home/alice/code/service',
    model: turn === 'user' ? null : 'gemini-3.8-pro',
    tool_name: isTool ? 'read_file' : null,
    tool_use_id: isTool ? `read_file__read_file_${facts.ms}_0` : null,
    source_line: rng.int(1, 5_000),
  };
}
