/**
 * Runs benches: `node bench/main.ts [name...] [--quick] [--strict]`. Without names, all of them.
 * --report writes the last results into docs/performance.md. Exits 0 whatever the budgets say, unless --strict.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { append } from './append.ts';
import { backfill } from './backfill.ts';
import { database } from './database.ts';
import { idle } from './idle.ts';
import { ids } from './ids.ts';
import { latency } from './latency.ts';
import type { Bench, BenchOptions } from './lib/bench.ts';
import { machineFacts } from './lib/machine.ts';
import { resultText } from './lib/print.ts';
import { writeReport } from './lib/report.ts';
import { type StoredResult, writeResult } from './lib/results.ts';
import { parse } from './parse.ts';
import { wire } from './wire.ts';

const BENCHES: readonly Bench[] = [parse, backfill, append, latency, idle, database, wire, ids];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});

const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(
    `no bench named ${unknown.join(', ')}; there are ${BENCHES.map(({ name }) => name).join(', ')}`,
  );
  process.exitCode = 2;
} else if (values.report) {
  console.log(`wrote ${writeReport()}`);
} else {
  const chosen =
    positionals.length === 0 ? BENCHES : BENCHES.filter(({ name }) => positionals.includes(name));
  let allMet = true;
  for (const bench of chosen) allMet = (await runOne(bench, { quick: values.quick })) && allMet;
  if (values.strict && !allMet) process.exitCode = 1;
}

/** Says whether every budget was met. */
async function runOne(bench: Bench, options: BenchOptions): Promise<boolean> {
  const machine = machineFacts();
  const start = performance.now();
  const result = await bench.run(options);
  const stored: StoredResult = {
    name: bench.name,
    title: bench.title,
    quick: options.quick,
    at: new Date().toISOString(),
    seconds: (performance.now() - start) / 1000,
    machine,
    loadAfter: loadavg()[0] ?? 0,
    ...result,
  };
  console.log(`\n${resultText(stored)}`);
  writeResult(stored);
  return result.verdicts.every(({ met }) => met);
}
