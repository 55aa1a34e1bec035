import { METRICS, type MetricLabels, type MetricName } from '../contract/metrics.ts';

/** One value of a metric. */
export interface MetricSample {
  readonly labels: MetricLabels;
  readonly value: number;
}

export type MetricsSnapshot = Readonly<Record<MetricName, readonly MetricSample[]>>;

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Prometheus text format 0.0.4: HELP, TYPE and the samples of every metric, in the order of the table. */
export function renderMetrics(snapshot: MetricsSnapshot): string {
  const lines: string[] = [];
  for (const name of Object.keys(METRICS) as MetricName[]) {
    const { help, type } = METRICS[name];
    lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`);
    for (const { labels, value } of snapshot[name])
      lines.push(`${name}${labelText(labels)} ${numberText(value)}`);
  }
  return `${lines.join('\n')}\n`;
}

function labelText(labels: MetricLabels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}
