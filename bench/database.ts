import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, BenchOptions, BenchResult } from './lib/bench.ts';
import { judge } from './lib/budget.ts';
import { readerBeside, runWriter } from './lib/database-run.ts';
import { makeConversation, turnCosts } from './lib/database-turn.ts';
import { median } from './lib/stats.ts';
import { formatNumber } from './lib/table.ts';
import { tempFolder } from './lib/temp.ts';

const WAIT = {
  what: 'slowest write of a program that rewrites 20 MB every 200 ms, beside us against alone',
  unit: 'ms more',
  bar: 50,
  aim: 10,
  better: 'lower',
} as const;
const TURN = {
  what: 'one turn of a 40 MB database conversation, against a full parse of the value (CPU)',
  unit: 'x',
  bar: 0.35,
  aim: 0.15,
  better: 'lower',
} as const;
const UNCHANGED = {
  what: 'unchanged database, one check',
  unit: 'ms',
  bar: 2,
  aim: 1,
  better: 'lower',
} as const;
const REFUSED = {
  what: 'writes that failed because the database was locked',
  unit: 'writes',
  bar: 0,
  aim: 0,
  better: 'lower',
} as const;

export const database: Bench = {
  name: 'database',
  title: 'Databases of coding agents: what reading costs us, and what it costs them',
  run,
};

interface Round {
  readonly alone: number;
  readonly beside: number;
  readonly failures: number;
  readonly captured: number;
  readonly cpuMs: number;
}

async function run({ quick }: BenchOptions): Promise<BenchResult> {
  const writes = quick ? 8 : 40;
  const rounds: Round[] = [];
  for (let round = 0; round < (quick ? 1 : 4); round++) rounds.push(await oneRound(writes));
  using temp = tempFolder('database');
  const path = join(temp.path, 'data.sqlite3');
  makeConversation(path, quick ? 8 : 40);
  const turn = turnCosts(path, quick ? 3 : 11);
  const more = median(rounds.map(({ alone, beside }) => beside - alone));
  return {
    tables: [
      {
        title: 'A program that writes, beside us',
        head: ['round', 'slowest write alone, ms', 'beside us, ms', 'versions seen', 'our CPU, ms'],
        rows: rounds.map(({ alone, beside, captured, cpuMs }, at) => [
          String(at + 1),
          ...[alone, beside].map(formatNumber),
          `${captured} of ${writes}`,
          formatNumber(cpuMs),
        ]),
      },
      {
        title: 'One turn of a large conversation',
        head: ['way', 'CPU, ms'],
        rows: [
          ['value as a string, JSON.parse of all of it', formatNumber(turn.fullMs)],
          ['our reader, place of the last turn checked, tail parsed', formatNumber(turn.readMs)],
          ['our look that finds no record changed', formatNumber(turn.lookMs)],
          ['our check that nothing changed', formatNumber(turn.unchangedMs)],
        ],
      },
    ],
    verdicts: [
      judge(WAIT, more),
      judge(
        REFUSED,
        rounds.reduce((sum, { failures }) => sum + failures, 0),
      ),
      judge(TURN, turn.readMs / turn.fullMs),
      judge(UNCHANGED, turn.unchangedMs),
    ],
    notes: ['the writer syncs to a real disk; its slowest write is mostly the disk'],
    figures: { rounds, turn },
  };
}

async function oneRound(writes: number): Promise<Round> {
  const alone = await withHome((path) => runWriter(path, writes));
  const { written, reader } = await withHome(async (path, home) => {
    const beside = await readerBeside(home);
    const result = await runWriter(path, writes);
    return { written: result, reader: await beside.end() };
  });
  return {
    alone: Math.max(...alone.latencies),
    beside: Math.max(...written.latencies),
    failures: written.failures.length,
    captured: new Set(reader.seen).size,
    cpuMs: reader.cpuMs,
  };
}

async function withHome<T>(work: (path: string, home: string) => Promise<T>): Promise<T> {
  using temp = tempFolder('database');
  mkdirSync(join(temp.path, 'store'));
  return await work(join(temp.path, 'store', 'data.sqlite3'), temp.path);
}
