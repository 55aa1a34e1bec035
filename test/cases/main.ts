import { parseArgs } from 'node:util';
import { findCases } from './case.ts';
import { slowestFirst } from './cost.ts';
import { runPool } from './pool.ts';
import { reportLines, summaryLine } from './report.ts';
import { runCase } from './run-case.ts';
import { selectCases } from './select.ts';

const USAGE = `usage: npm run cases -- DIR [options]
  --only A,B      only these cases, by name or number
  --agents A,B    only cases of these agents; "supported" means those that have a parser
  --jobs N        cases at a time (2)
  --strict-ids    row ids that differ between warm and cold fail every case
  --keep          keep the work folders and print where they are
  --verbose       print how many rows came`;

const OPTIONS = {
  only: { type: 'string' },
  agents: { type: 'string' },
  jobs: { type: 'string', default: '2' },
  'strict-ids': { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
} as const;

/** Exit codes: 0 all passed, 1 a case failed, 2 the command line is wrong. */
async function main(): Promise<number> {
  const parsed = parse();
  if (typeof parsed === 'string') return misused(parsed);
  const { values, positionals } = parsed;
  const [dir] = positionals;
  const jobs = Number(values.jobs);
  if (dir === undefined || positionals.length > 1) return misused('name one folder');
  if (!Number.isInteger(jobs) || jobs < 1) return misused('--jobs wants a whole number above 0');
  const chosen = selectCases(findCases(dir), { only: listOf(values.only), agents: listOf(values.agents) });
  if (chosen.length === 0) return misused(`no case of ${dir} is chosen`);
  const options = { strictIds: values['strict-ids'], keep: values.keep };
  const results = await runPool(
    slowestFirst(chosen).map((each) => () => runCase(each, options)),
    jobs,
    (result) => console.log(reportLines(result, values.verbose).join('\n')),
  );
  console.log(`\n${summaryLine(results)}`);
  return results.some(({ status }) => status === 'failed') ? 1 : 0;
}

function parse() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function misused(message: string): number {
  console.error(`${message}\n${USAGE}`);
  return 2;
}

function listOf(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

process.exitCode = await main();
