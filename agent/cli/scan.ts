import { resolve } from 'node:path';
import { SOURCES } from '../../parsers/index.ts';
import { EnvironmentError } from '../contract/errors.ts';
import type { Row } from '../contract/row.ts';
import { type ScanOutput, type ScanSummary, scanOnce } from '../keeper/single-scan.ts';
import { systemClock } from '../platform/clock.ts';
import { findHomes } from '../platform/homes.ts';
import { identifyHost } from '../platform/host.ts';
import { spawnForHome } from '../platform/spawn.ts';
import { createLogger } from '../telemetry/logger.ts';
import { type GlobalOptions, openContext } from './context.ts';
import type { ScanFormat } from './formats.ts';
import { fileOutput, flat, type Output, printJson, progressLine, say, standardOutput } from './output.ts';
import { csvHeader, csvLine, rowLine } from './row-text.ts';

export interface ScanOptions extends GlobalOptions {
  readonly home?: readonly string[];
  readonly format?: ScanFormat;
  readonly output?: string;
  readonly summary?: boolean;
}

/** `holdfast scan`: reads one or more homes once and prints their rows. Keeps nothing, sends nothing. */
export async function scan(options: ScanOptions): Promise<void> {
  const context = openContext(options);
  const { config } = context.loaded;
  const wishes = options.home
    ? { homes: [...new Set(options.home.map((home) => resolve(home)))], homesRoot: null }
    : { homes: config.homes, homesRoot: config.homesRoot };
  const { homes, unreadable } = findHomes(wishes, context.facts);
  if (homes.length === 0) {
    const [first] = unreadable;
    throw new EnvironmentError(
      'NO_HOME',
      first ? `cannot read ${first.path}: ${first.reason}` : 'no home was found',
      {
        hint: 'Name one with --home DIR.',
      },
    );
  }
  const format = options.json === true ? 'jsonl' : (options.format ?? 'text');
  const output = options.output === undefined ? standardOutput() : fileOutput(options.output);
  const progress = progressLine();
  const printer = createPrinter(output, format);
  const summary = await scanOnce({
    homes,
    config,
    host: identifyHost(context.stateDir),
    sources: SOURCES,
    clock: systemClock,
    logger: createLogger({ level: 'warn', clock: systemClock }),
    spawn: (home, memoryMb) => spawnForHome('capture', home, memoryMb),
    env: (name) => context.facts.env[name],
    platform: context.facts.platform,
    ownHome: context.facts.home,
    output: printer,
    onProgress: ({ files, waiting, bytes, rows }) =>
      progress.show(
        `${files} files, ${waiting} waiting, ${(bytes / 2 ** 20).toFixed(1)} MiB read, ${rows} rows`,
      ),
  });
  progress.clear();
  await printer.end();
  await output.end();
  await tellSummary(summary, unreadable, options);
}

/** Rows come faster than a terminal takes them; a reader that stops must not fill our memory. */
const MAX_WAITING_CHARS = 32 * 1024 * 1024;

/** Writes rows in their order. What went wrong is told at the end, and nothing more is written after it. */
function createPrinter(output: Output, format: ScanFormat): ScanOutput & { end(): Promise<void> } {
  let last: Promise<void> = format === 'csv' ? output.line(csvHeader()) : Promise.resolve();
  let waiting = 0;
  let ready = () => {};

  function written(chars: number): void {
    const wasBehind = waiting > MAX_WAITING_CHARS;
    waiting -= chars;
    if (wasBehind && waiting <= MAX_WAITING_CHARS) ready();
  }

  return {
    take(json) {
      const text = format === 'jsonl' ? json : formatRow(JSON.parse(json) as Row, format);
      waiting += text.length;
      last = last.then(() => output.line(text)).finally(() => written(text.length));
      last.catch(() => {});
    },
    isBehind: () => waiting > MAX_WAITING_CHARS,
    onReady(listener) {
      ready = listener;
    },
    end: () => last,
  };
}

function formatRow(row: Row, format: 'text' | 'csv'): string {
  return format === 'csv' ? csvLine(row) : rowLine(row);
}

async function tellSummary(
  summary: ScanSummary,
  unreadable: readonly { path: string; reason: string }[],
  options: ScanOptions,
): Promise<void> {
  const notRead = [...unreadable.map(({ path, reason }) => `${path}: ${reason}`), ...summary.unreadable];
  if (options.summary === true && options.output !== undefined) {
    await printJson(standardOutput(), { ...summary, unreadable: notRead });
  }
  say(`${summary.rows} rows from ${summary.files} files in ${summary.homes} homes`);
  for (const line of notRead) say(`not read: ${flat(line)}`);
  for (const file of summary.quarantined) say(`set aside: ${flat(file)}`);
  if (notRead.length > 0 || summary.quarantined.length > 0) {
    throw new EnvironmentError('SCAN_INCOMPLETE', 'not everything could be read', {
      hint: 'Run as the owner of the home or as root, and look at the lines above.',
    });
  }
}
