import { RowWriter } from '../agent/capture/row-writer.ts';
import type { DraftRow } from '../agent/contract/row.ts';
import type { LogSpec } from '../agent/contract/source.ts';
import { geminiCli } from '../parsers/gemini-cli/index.ts';
import { session } from './corpus/gemini-cli/session.ts';
import { createRng } from './corpus/rng.ts';
import type { Bench, BenchOptions, BenchResult } from './lib/bench.ts';
import { plainContext } from './lib/parse-context.ts';
import { ratesTable } from './lib/rates.ts';
import { interleave, measureHere, summarise } from './lib/rounds.ts';

const MIB = 2 ** 20;

/** One session in memory, already cut into lines: what remains is parsing alone. */
interface Input {
  readonly path: string;
  readonly bytes: number;
  readonly lines: readonly Buffer[];
}

export const parse: Bench = {
  name: 'parse',
  title: 'Parsing one Gemini CLI session in memory',
  run,
};

async function run({ quick }: BenchOptions): Promise<BenchResult> {
  const input = makeInput(quick ? 2 * MIB : 20 * MIB);
  let rows = 0;
  const cases = [
    { name: 'JSON.parse of every line', run: () => measureHere(() => parseJson(input)) },
    {
      name: 'parser: draft rows',
      run: () => measureHere(() => parseRows(input, () => void rows++)),
    },
    { name: 'parser + row writer: commits', run: () => measureHere(() => writeRows(input)) },
  ];
  const rounds = { rounds: quick ? 3 : 9, warmup: 2 };
  const summaries = summarise(await interleave(cases, rounds));
  const rowsPerPass = rows / (rounds.rounds + rounds.warmup);
  return {
    tables: [ratesTable('MB of session file a second', summaries, { unit: 'MB/s', per: 1e6 })],
    verdicts: [],
    notes: [`${input.lines.length} lines, ${(input.bytes / 1e6).toFixed(1)} MB, ${rowsPerPass} rows a pass`],
    figures: { cases: summaries, rowsPerPass, bytes: input.bytes },
  };
}

function makeInput(bytes: number): Input {
  const { content, facts } = session(createRng('parse'), bytes);
  return {
    path: `tmp/service/chats/session-2026-10-01T08-00-${facts.sessionId.slice(0, 8)}.jsonl`,
    bytes: content.length,
    lines: linesOf(content),
  };
}

function linesOf(content: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = content.indexOf(0x0a); end !== -1; end = content.indexOf(0x0a, start)) {
    lines.push(content.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

function parseJson({ lines, bytes }: Input): number {
  for (const line of lines) JSON.parse(line.toString('utf8'));
  return bytes;
}

function parseRows({ path, lines, bytes }: Input, onRow: (row: DraftRow) => void): number {
  const parser = sessionSpec().open(plainContext(path));
  for (const [index, line] of lines.entries()) parser.line(line, index + 1, onRow);
  return bytes;
}

const FILE = {
  agent: geminiCli.id,
  sourceFile: '.gemini/tmp/service/chats/session.jsonl',
  role: 'primary',
  backfill: true,
  user: 'alice',
} as const;

/** A commit is taken as often as capture does it: every 500 rows or half a MiB. */
function writeRows(input: Input): number {
  const writer = new RowWriter({ id: 'bench', name: 'bench', labels: {}, maxTextBytes: MIB });
  const done = parseRows(input, (row) => {
    writer.add(row, FILE, '2026-11-29T18:00:00.000Z');
    if (writer.count >= 500 || writer.bytes >= MIB / 2) writer.take();
  });
  writer.take();
  return done;
}

function sessionSpec(): LogSpec {
  const spec = geminiCli.files.find((file) => file.kind === 'log');
  if (spec?.kind !== 'log') throw new Error('the Gemini CLI source has no log');
  return spec;
}
