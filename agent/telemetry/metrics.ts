import { METRICS, type MetricLabels, type MetricName, type Metrics } from '../contract/metrics.ts';
import { type MetricsSnapshot, renderMetrics } from './metrics-text.ts';

export interface MetricsRegistry extends Metrics {
  /** Prometheus text format 0.0.4. */
  render(): string;
  snapshot(): MetricsSnapshot;
}

/** More series than this in one metric means that a label takes values without bound. */
const MAX_SERIES = 1000;

interface Series {
  readonly labels: MetricLabels;
  value: number;
}

/**
 * The numbers of this process. A call that does not fit the table of metrics (unknown name or label, a
 * counter that falls) is a bug: `misused` throws unless the caller gives something gentler.
 */
export function createMetrics(misused: (problem: string) => void = throwMisuse): MetricsRegistry {
  const registry = new Map<string, Map<string, Series>>();
  for (const [name, { labels }] of Object.entries(METRICS)) {
    registry.set(name, labels.length === 0 ? new Map([['', { labels: {}, value: 0 }]]) : new Map());
  }

  return {
    add(name, amount = 1, labels = {}) {
      if (!Number.isFinite(amount)) return misused(`${name} cannot grow by ${amount}`);
      if (amount < 0 && METRICS[name]?.type === 'counter')
        return misused(`${name} is a counter and cannot fall`);
      const series = seriesOf(name, labels);
      if (series) series.value += amount;
    },
    set(name, value, labels = {}) {
      if (METRICS[name]?.type === 'counter') return misused(`${name} is a counter and cannot be set`);
      const series = seriesOf(name, labels);
      if (series) series.value = value;
    },
    render: () => renderMetrics(snapshot()),
    snapshot,
  };

  function seriesOf(name: MetricName, labels: MetricLabels): Series | undefined {
    const all = registry.get(name);
    const problem = all ? labelProblem(name, labels) : `${name} is not in the table of metrics`;
    if (!all || problem !== undefined) return report(problem);
    const key =
      Object.keys(labels).length === 0 ? '' : METRICS[name].labels.map((label) => labels[label]).join('\0');
    const known = all.get(key);
    if (known) return known;
    if (all.size >= MAX_SERIES) return report(`${name} has more than ${MAX_SERIES} series`);
    const fresh = { labels: { ...labels }, value: 0 };
    all.set(key, fresh);
    return fresh;
  }

  function report(problem = ''): undefined {
    misused(problem);
    return undefined;
  }

  function snapshot(): MetricsSnapshot {
    const entries = [...registry].map(([name, all]) => [
      name,
      [...all.values()].map(({ labels, value }) => ({ labels, value })),
    ]);
    return Object.fromEntries(entries);
  }
}

function labelProblem(name: MetricName, labels: MetricLabels): string | undefined {
  const wanted: readonly string[] = METRICS[name].labels;
  const given = Object.keys(labels);
  const unknown = given.find((label) => !wanted.includes(label));
  if (unknown !== undefined) return `${name} has no label ${unknown}`;
  const missing = wanted.find((label) => labels[label] === undefined);
  return missing === undefined ? undefined : `${name} needs the label ${missing}`;
}

function throwMisuse(problem: string): never {
  throw new TypeError(problem);
}
