/**
 * The long form of the writer beside us: `npm run chaos:databases [-- --minutes 4 --megabytes 20 --every 200]`, so many
 * minutes in each journal mode, half of them beside the agent. Exits with 1 when the program had to wait longer, was told that its
 * database is locked, or a turn was lost or doubled.
 */
import { parseArgs } from 'node:util';
import { cleanUp } from '../support/temp.ts';
import { type DatabaseOutcome, databaseRounds } from './database-rounds.ts';

const HALF_SECONDS = 15;
/** What the slowest write may take longer beside us. */
const MOST_MORE_MS = 50;
/** How much larger the write-ahead log may get beside us. */
const MOST_LOG_TIMES = 2;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '4' },
    megabytes: { type: 'string', default: '20' },
    every: { type: 'string', default: '200' },
  },
});

let failed = 0;
for (const journal of ['delete', 'wal'] as const) {
  const outcome = await databaseRounds({
    journal,
    megabytes: Number(values.megabytes),
    everyMs: Number(values.every),
    seconds: HALF_SECONDS,
    rounds: Math.max(1, Math.round((Number(values.minutes) * 60) / (2 * HALF_SECONDS))),
  });
  await cleanUp();
  console.log(`\njournal mode ${journal}`);
  for (const [text, isMet] of verdictsOn(outcome)) {
    console.log(`${isMet ? 'met    ' : 'NOT MET'}  ${text}`);
    if (!isMet) failed++;
  }
}
console.log(`\n${failed === 0 ? 1 : 0} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function verdictsOn(outcome: DatabaseOutcome): [string, boolean][] {
  const { writes, failures, lost, doubled, slowest, logBytes, left } = outcome;
  const more = median(slowest.map(({ alone, beside }) => beside - alone));
  const [worstAlone, worstBeside] = [
    Math.max(...slowest.map(({ alone }) => alone)),
    Math.max(...slowest.map(({ beside }) => beside)),
  ];
  const halves = slowest.map(({ alone, beside }) => `${Math.round(alone)}/${Math.round(beside)}`).join(' ');
  return [
    [`slowest write: ${more.toFixed(1)} ms more beside us (alone/beside: ${halves})`, more < MOST_MORE_MS],
    [
      `slowest write of all: ${worstAlone.toFixed(1)} ms alone, ${worstBeside.toFixed(1)} ms beside us`,
      worstBeside - worstAlone < MOST_MORE_MS,
    ],
    [`${failures.length} of ${writes} writes refused`, failures.length === 0],
    [`${lost.length} turns lost, ${doubled.length} doubled of ${writes}`, lost.length + doubled.length === 0],
    [
      `write-ahead log: at most ${logBytes.alone} bytes alone, ${logBytes.beside} beside us`,
      logBytes.beside <= MOST_LOG_TIMES * logBytes.alone,
    ],
    [`left beside the database: ${left.join(', ')}`, left.length === 1],
  ];
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
