import type { Row } from '../../agent/contract/row.ts';
import type { HealthDocument } from '../../agent/telemetry/health.ts';
import { describeRow } from './describe.ts';
import type { Received } from './match.ts';

/** What the agent promises whatever the case is about. Each check returns what it found broken. */

/** Many collectors reject or cut a U+0000. */
export function brokenTexts(received: readonly Received[]): string[] {
  return received
    .filter(({ row }) => holdsNul(row))
    .map(({ row }) => `a row holds U+0000: ${describeRow(row)}`);
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key.includes('\0') || holdsNul(inner));
}

/** Numbers begin with 1 and leave nothing out: by them the collector knows that nothing is missing. */
export function brokenSequence(received: readonly Received[]): string[] {
  const numbers = received.map(({ row }: { readonly row: Row }) => row.seq).sort((a, b) => a - b);
  const at = numbers.findIndex((number, index) => number !== index + 1);
  return at === -1
    ? []
    : [`the numbers of rows are not 1, 2, 3 ...: ${numbers[at]} stands at place ${at + 1}`];
}

/** The log is JSON lines without errors and without our token. */
export function brokenLog(log: string, token: string): string[] {
  const problems: string[] = [];
  for (const line of log.split('\n')) {
    if (line === '') continue;
    const level = levelOf(line);
    if (level === undefined) problems.push(`unexpected output of the agent: ${line.slice(0, 300)}`);
    if (level === 'error') problems.push(`the agent logged an error: ${line.slice(0, 300)}`);
  }
  if (log.includes(token)) problems.push('the log holds the token of the collector');
  return problems;
}

function levelOf(line: string): string | undefined {
  try {
    return (JSON.parse(line) as { readonly level: string }).level;
  } catch {
    return undefined;
  }
}

/** No capture process died, no file was set aside. With watches refused, health must say so. */
export function brokenHealth(health: HealthDocument | undefined, watchRefused: boolean): string[] {
  if (!health) return ['the agent does not answer at the end'];
  const problems = health.homes.flatMap(({ restarts, quarantined }) => [
    ...(restarts > 0 ? [`the capture process was started again ${restarts} times`] : []),
    ...quarantined.map((file) => `set aside because reading it ended the capture process: ${file}`),
  ]);
  const degraded = health.problems.some(({ code }) => code === 'watch_degraded');
  if (watchRefused && !degraded) problems.push('watches are refused and health does not say so');
  return problems;
}
