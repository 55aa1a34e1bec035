import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRICS, type MetricName } from '../../../agent/contract/metrics.ts';
import { createMetrics } from '../../../agent/telemetry/metrics.ts';
import { writeMetricsFile } from '../../../agent/telemetry/metrics-file.ts';
import { tempDir } from '../../support/temp.ts';

describe('agent/telemetry/metrics', () => {
  it('adds counters and sets gauges by label', () => {
    const metrics = createMetrics();

    metrics.add('holdfast_commits_total');
    metrics.add('holdfast_commits_total', 4);
    metrics.add('holdfast_rows_total', 2, { lane: 'live' });
    metrics.add('holdfast_rows_total', 3, { lane: 'backfill' });
    metrics.set('holdfast_outbox_rows', 7, { sink: 'siem' });
    metrics.set('holdfast_outbox_rows', 5, { sink: 'siem' });

    const { holdfast_commits_total, holdfast_rows_total, holdfast_outbox_rows } = metrics.snapshot();
    assert.deepEqual(holdfast_commits_total, [{ labels: {}, value: 5 }]);
    assert.deepEqual(holdfast_rows_total, [
      { labels: { lane: 'live' }, value: 2 },
      { labels: { lane: 'backfill' }, value: 3 },
    ]);
    assert.deepEqual(holdfast_outbox_rows, [{ labels: { sink: 'siem' }, value: 5 }]);
  });

  it('takes labels in any order for the same series', () => {
    const metrics = createMetrics();

    metrics.add('holdfast_sent_rows_total', 1, { sink: 's', lane: 'live' });
    metrics.add('holdfast_sent_rows_total', 1, { lane: 'live', sink: 's' });

    assert.equal(metrics.snapshot().holdfast_sent_rows_total.length, 1);
  });

  it('renders what a Prometheus reader understands, every metric with help and type', () => {
    const metrics = createMetrics();
    metrics.add('holdfast_rows_total', 12, { lane: 'live' });
    metrics.set('holdfast_sweep_age_seconds', 1.5, { home: 'C:\\Users\\alice "the\nfirst"' });
    metrics.set('holdfast_resident_bytes', Number.POSITIVE_INFINITY);

    const parsed = parseExposition(metrics.render());

    assert.deepEqual([...parsed.keys()], Object.keys(METRICS));
    for (const [name, { type, help }] of Object.entries(METRICS)) {
      assert.deepEqual([parsed.get(name)?.type, parsed.get(name)?.help], [type, help]);
    }
    assert.deepEqual(parsed.get('holdfast_rows_total')?.samples, [{ labels: { lane: 'live' }, value: 12 }]);
    assert.deepEqual(parsed.get('holdfast_sweep_age_seconds')?.samples, [
      { labels: { home: 'C:\\Users\\alice "the\nfirst"' }, value: 1.5 },
    ]);
    assert.deepEqual(parsed.get('holdfast_resident_bytes')?.samples, [
      { labels: {}, value: Number.POSITIVE_INFINITY },
    ]);
    assert.deepEqual(parsed.get('holdfast_commits_total')?.samples, [{ labels: {}, value: 0 }]);
  });

  for (const [what, call] of [
    ['an unknown label', (m) => m.add('holdfast_rows_total', 1, { lane: 'live', session: 'x' })],
    ['a missing label', (m) => m.add('holdfast_sent_rows_total', 1, { sink: 'x' })],
    ['a label too many', (m) => m.add('holdfast_commits_total', 1, { lane: 'live' })],
    ['an unknown metric', (m) => m.add('holdfast_nothing_total' as MetricName)],
    ['an unknown gauge', (m) => m.set('holdfast_nothing' as MetricName, 1)],
    ['a falling counter', (m) => m.add('holdfast_commits_total', -1)],
    ['a counter that is set', (m) => m.set('holdfast_commits_total', 1)],
    ['growth that is no number', (m) => m.add('holdfast_commits_total', Number.NaN)],
  ] as const satisfies [string, (metrics: ReturnType<typeof createMetrics>) => void][]) {
    it(`refuses ${what}, or tells whoever wants to know`, () => {
      const problems: string[] = [];

      assert.throws(() => call(createMetrics()), TypeError);
      const gentle = createMetrics((problem) => problems.push(problem));
      const before = gentle.render();
      call(gentle);

      assert.equal(problems.length, 1);
      assert.equal(gentle.render(), before);
    });
  }

  it('stays bounded when a label takes values without end', () => {
    let problems = 0;
    const metrics = createMetrics(() => problems++);

    for (let i = 0; i < 1500; i++) metrics.add('holdfast_notes_total', 1, { code: `code-${i}` });

    assert.equal(metrics.snapshot().holdfast_notes_total.length, 1000);
    assert.equal(problems, 500);
  });
});

describe('agent/telemetry/metrics-file', () => {
  it('replaces the file as a whole, readable by all', async () => {
    const folder = tempDir();
    const path = join(folder, 'holdfast.prom');
    writeFileSync(path, 'old');
    writeFileSync(`${path}.new`, 'left behind by a crash');

    await writeMetricsFile(path, 'new\n');

    assert.equal(readFileSync(path, 'utf8'), 'new\n');
    assert.equal(statSync(path).mode & 0o444, 0o444);
    assert.deepEqual(readdirSync(folder), ['holdfast.prom']);
  });

  it('does not write through a link that waits at its new name', async () => {
    const folder = tempDir();
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, join(folder, 'm.prom.new'));

    await writeMetricsFile(join(folder, 'm.prom'), 'new\n');

    assert.equal(readFileSync(victim, 'utf8'), 'mine');
  });
});

interface Parsed {
  help: string;
  type: string;
  samples: { labels: Record<string, string>; value: number }[];
}

/** A reader of the text format, written from its description and not from our writer. */
function parseExposition(text: string): Map<string, Parsed> {
  assert.ok(text.endsWith('\n'));
  const found = new Map<string, Parsed>();
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (comment) {
      const [, kind = '', name = '', rest = ''] = comment;
      const entry = found.get(name) ?? { help: '', type: '', samples: [] };
      if (kind === 'HELP') entry.help = rest.replace(/\\(\\|n)/g, (_, c) => (c === 'n' ? '\n' : c));
      else entry.type = rest;
      found.set(name, entry);
      continue;
    }
    const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    assert.ok(sample, line);
    const labels: Record<string, string> = {};
    for (const [, label = '', value = ''] of (sample[2] ?? '').matchAll(
      /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/g,
    )) {
      labels[label] = value.replace(/\\(\\|n|")/g, (_, c) => (c === 'n' ? '\n' : c));
    }
    found
      .get(sample[1] ?? '')
      ?.samples.push({ labels, value: sample[3] === '+Inf' ? Number.POSITIVE_INFINITY : Number(sample[3]) });
  }
  return found;
}
