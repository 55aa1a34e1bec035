import { METRICS } from '../../agent/contract/metrics.ts';
import { code, generatedNote, table } from './markdown.ts';

const INTRO = `# Metrics

Holdfast counts what it does in the Prometheus text format. The control socket answers it at \`/metrics\`,
and \`telemetry.metrics_file\` names a file that is written at every heartbeat. Values are of this process:
counters begin at 0 when the service starts. Labels have few values: names of sources and sinks, homes,
lanes and fixed codes, never a session, a path in a home or text.
`;

/** docs/metrics.md, from the table of metrics in the contract. */
export function metricsDocument(): string {
  const rows = Object.entries(METRICS).map(([name, { type, labels, help }]) => [
    code(name),
    type,
    labels.map(code).join(', '),
    help,
  ]);
  const list = table(['Metric', 'Type', 'Labels', 'Meaning'], rows);
  return `${generatedNote('agent/contract/metrics.ts')}\n${INTRO}\n${list}\n`;
}
