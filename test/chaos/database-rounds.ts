import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { AgentUnderTest } from '../support/agent-process.ts';
import { onCleanUp } from '../support/temp.ts';
import { until } from '../support/until.ts';
import type { TalkOptions, Written } from './talk-writer.ts';

const MEMORY = '/dev/shm';
const WRITER = join(import.meta.dirname, 'talk-writer.ts');

export interface DatabasePlan extends Pick<TalkOptions, 'journal' | 'megabytes' | 'everyMs'> {
  readonly rounds: number;
  /** Seconds of each half of a round: without the agent, and beside it. */
  readonly seconds: number;
}

export interface DatabaseOutcome {
  readonly writes: number;
  /** What the program was told instead of having its write done. */
  readonly failures: readonly string[];
  /** Turns that the collector lacks, or has more than once. */
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  /** Slowest write of each half, in milliseconds. */
  readonly slowest: readonly { readonly alone: number; readonly beside: number }[];
  /** Most bytes of the write-ahead log. */
  readonly logBytes: { readonly alone: number; readonly beside: number };
  /** What lies in the directory of the database at the end. */
  readonly left: readonly string[];
}

/**
 * A program writes its conversation again with every turn, half of the time beside the agent; halves take turns, so that
 * what else the machine does hits both.
 */
export async function databaseRounds({ rounds, seconds, ...how }: DatabasePlan): Promise<DatabaseOutcome> {
  const agent = await AgentUnderTest.create({}, { collectorDir: elsewhere() });
  const path = join(agent.home, '.local/share/amazon-q/data.sqlite3');
  mkdirSync(dirname(path), { recursive: true });
  const halves: { alone: Written; beside: Written }[] = [];
  let turns = 0;
  const write = async () => {
    const written = await runWriter({ ...how, path, seconds, turns });
    turns = written.turns;
    return written;
  };
  for (let round = 0; round < rounds; round++) {
    const alone = await write();
    await agent.start();
    const beside = await write();
    await until('the last turn', async () => (await turnCounts(agent)).has(`turn ${turns}`), 60_000);
    await agent.kill('SIGTERM');
    halves.push({ alone, beside });
  }
  const counts = await turnCounts(agent);
  const truth = Array.from({ length: turns }, (_, at) => `turn ${at + 1}`);
  const all = halves.flatMap(({ alone, beside }) => [alone, beside]);
  return {
    writes: turns,
    failures: all.flatMap(({ failures }) => failures),
    lost: truth.filter((text) => !counts.has(text)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([text]) => text),
    slowest: halves.map(({ alone, beside }) => ({
      alone: Math.max(...alone.latencies),
      beside: Math.max(...beside.latencies),
    })),
    logBytes: {
      alone: Math.max(...halves.map(({ alone }) => alone.logBytes)),
      beside: Math.max(...halves.map(({ beside }) => beside.logBytes)),
    },
    left: readdirSync(dirname(path)),
  };
}

/** A collector is another machine, whose writes this disk does not see: memory stands in for it where there is such a thing. */
function elsewhere(): string | undefined {
  if (!existsSync(MEMORY)) return undefined;
  const dir = mkdtempSync(join(MEMORY, 'holdfast-'));
  onCleanUp(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function runWriter(options: TalkOptions): Promise<Written> {
  const { stdout } = await promisify(execFile)(process.execPath, [WRITER, JSON.stringify(options)], {
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout) as Written;
}

async function turnCounts(agent: AgentUnderTest): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { turn_type, text } of await agent.rows())
    if (turn_type === 'user' && text.startsWith('turn ')) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
