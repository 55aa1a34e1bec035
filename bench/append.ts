import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { turn } from './corpus/gemini-cli/session.ts';
import { createRng } from './corpus/rng.ts';
import { type RunningAgent, startAgent } from './lib/agent-run.ts';
import type { Bench, BenchOptions, BenchResult } from './lib/bench.ts';
import { type Budget, judge } from './lib/budget.ts';
import { cpuMsOf } from './lib/process-tree.ts';
import { startReceiver } from './lib/receiver.ts';
import { type Case, type CaseSummary, interleave, summarise } from './lib/rounds.ts';
import { writeOneSession } from './lib/small-home.ts';
import { formatNumber } from './lib/table.ts';
import { tempFolder } from './lib/temp.ts';
import { sleep } from './lib/wait.ts';

function flat(large: string): Budget {
  const what = `one append to a ${large} session, against one to a 50 KB session (CPU)`;
  return { what, unit: 'x', bar: 1.2, aim: 1, better: 'lower' };
}

export const append: Bench = {
  name: 'append',
  title: 'CPU of one append to an active session, by the size of the session',
  run,
};

/** Appends lie further apart than the window in which changes of a file become one read. */
const APART_MS = 80;
const SETTLE_MS = 250;
const RESULT_CHARS = 1_500;

async function run({ quick }: BenchOptions): Promise<BenchResult> {
  using temp = tempFolder('append');
  const home = join(temp.path, 'home');
  const small = writeOneSession(home, 'small', 50_000);
  const size = quick ? 5 : 50;
  const large = writeOneSession(home, 'large', size * 1_000_000);
  const receiver = await startReceiver(() => {});
  const agent = await startAgent({ dir: join(temp.path, 'agent'), home, url: receiver.url });
  try {
    const block = quick ? 5 : 10;
    const writer = createWriter();
    const cases = [
      appending(agent, { name: '50 KB session', file: small, block, writer }),
      appending(agent, { name: `${size} MB session`, file: large, block, writer }),
    ];
    const runs = await interleave(cases, { rounds: quick ? 4 : 15, warmup: 2 });
    return resultOf(summarise(runs), { bytes: writer.bytes(), large: `${size} MB` });
  } finally {
    await agent.stop();
    await receiver.close();
  }
}

function resultOf(
  summaries: readonly CaseSummary[],
  { bytes, large }: { bytes: number; large: string },
): BenchResult {
  const ratio = 1 / (summaries[1]?.cpuRatio ?? Number.NaN);
  const rows = summaries.map(({ name, cpuMs, work, cpuRatio }) => [
    name,
    formatNumber(cpuMs / work),
    formatNumber((cpuMs / work / bytes) * 1_000_000),
    (1 / cpuRatio).toFixed(2),
  ]);
  return {
    tables: [
      { title: 'CPU of all processes', head: ['append to', 'ms an append', 'us a KB', 'x first'], rows },
    ],
    verdicts: [judge(flat(large), ratio)],
    notes: [
      `each append writes ${formatNumber(bytes)} bytes: an answer, then the same message again with a call and its result`,
      `appends lie ${APART_MS} ms apart; the figure holds everything the agent does for one: event, read, parse, commit, delivery`,
    ],
    figures: { cases: summaries, bytesPerAppend: bytes, ratio },
  };
}

interface Target {
  readonly name: string;
  readonly file: string;
  readonly block: number;
  readonly writer: ReturnType<typeof createWriter>;
}

/** A block of appends to one file. What the agent does besides falls on both files alike. */
function appending(agent: RunningAgent, { name, file, block, writer }: Target): Case {
  return {
    name,
    async run() {
      const processes = agent.processes();
      const start = performance.now();
      const before = cpuMsOf(processes);
      for (let count = 0; count < block; count++) {
        writer.append(file);
        await sleep(APART_MS);
      }
      await sleep(SETTLE_MS);
      return { work: block, wallMs: performance.now() - start, cpuMs: cpuMsOf(processes) - before };
    },
  };
}

/** Every append has the same number of bytes, whichever file it goes to. */
function createWriter() {
  const rng = createRng('append');
  let at = Date.UTC(2026, 10, 30, 9);
  let total = 0;
  let count = 0;
  return {
    append(file: string): void {
      at += 1_000;
      const content = turn(rng, RESULT_CHARS, at);
      total += content.length;
      count++;
      appendFileSync(file, content);
    },
    bytes: () => total / count,
  };
}
