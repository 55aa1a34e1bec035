import { createControlClient } from '../telemetry/control-client.ts';
import { type HealthDocument, healthExitCode, type Severity } from '../telemetry/health.ts';
import { type GlobalOptions, openContext } from './context.ts';
import { flat, type Output, paint, printJson, type Style, standardOutput, table } from './output.ts';

const STATUS_STYLES = { ok: 'green', degraded: 'yellow', failing: 'red' } as const satisfies Record<
  HealthDocument['status'],
  Style
>;
const SEVERITY_STYLES = { info: 'dim', warning: 'yellow', error: 'red' } as const satisfies Record<
  Severity,
  Style
>;

/** `holdfast status`: how the running agent is. Exit code 0 when all is well, 1 when something is not. */
export async function status(options: GlobalOptions): Promise<number> {
  const health = await createControlClient(openContext(options).socket).health();
  const output = standardOutput();
  if (options.json === true) await printJson(output, health);
  else await print(health, output);
  return healthExitCode(health);
}

async function print(health: HealthDocument, output: Output): Promise<void> {
  const { totals } = health;
  const lines = [
    `${paint(STATUS_STYLES[health.status], health.status)}  Holdfast ${health.version} on ${health.host.name}, up ${duration(health.uptime_seconds)}`,
    `${totals.rows} rows from ${totals.files} files, ${totals.backlog_rows} rows wait${heldText(totals)}`,
    '',
    ...table([
      ['HOME', 'WATCH', 'SOURCES', 'LAST FULL SWEEP'],
      ...health.homes.map((home) => [
        home.path,
        home.running ? home.watch : 'stopped',
        home.sources.map(({ source, files }) => `${source}: ${files} files`).join(', ') || 'none found',
        home.last_full_sweep_at === null ? 'not yet' : `${home.sweep_age_seconds} s ago`,
      ]),
    ]),
    '',
    ...table([
      ['SINK', 'STATE', 'WAITING', 'LAST SUCCESS'],
      ...health.sinks.map((sink) => [
        sink.id,
        sink.last_error === null ? sink.state : `${sink.state}: ${sink.last_error}`,
        `${sink.backlog_rows} rows`,
        sink.last_success_at ?? 'never',
      ]),
    ]),
    ...health.problems.flatMap(({ severity, code, message, hint }) => [
      '',
      `${paint(SEVERITY_STYLES[severity], severity)} ${code}: ${flat(message)}`,
      `  ${hint}`,
    ]),
  ];
  for (const line of lines) await output.line(line);
}

/** Copies from secondary sources, which are mostly dropped; no word of them while there are none. */
function heldText({ held_rows }: HealthDocument['totals']): string {
  return held_rows === 0 ? '' : `, ${held_rows} copies are held back`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}
