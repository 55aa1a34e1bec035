import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SinkConfig } from '../../../agent/sinks/config.ts';
import { createSink } from '../../../agent/sinks/index.ts';
import { tempDir } from '../../support/temp.ts';
import { sinkDeps } from './support.ts';

const BATCH = { maxRows: 500, maxBytes: 1 << 20 };
const REMOTE = {
  url: 'https://collector.example.com',
  compression: 'gzip',
  timeoutMs: 1000,
  allowInsecure: false,
  batch: BATCH,
} as const;

describe('agent/sinks/index', () => {
  it('makes every kind of sink under its configured id, without touching anything yet', async () => {
    const path = join(tempDir(), 'out', 'rows.jsonl');

    const configs: SinkConfig[] = [
      { type: 'http', id: 'central', ...REMOTE },
      { type: 'otlp', id: 'otel', ...REMOTE, auth: 'bearer', acceptEmpty: false, genAiContent: false },
      {
        type: 'splunk_hec',
        id: 'splunk',
        ...REMOTE,
        sourcetype: 'holdfast:row',
        indexedFields: true,
        ack: false,
        ackTimeoutMs: 1000,
      },
      {
        type: 'elasticsearch',
        id: 'elastic',
        ...REMOTE,
        index: 'rows',
        auth: 'api_key',
        genAiContent: false,
      },
      { type: 'file', id: 'local', path, maxBytes: 1000, maxFiles: 1, batch: BATCH },
    ];

    const sinks = configs.map((config) => createSink(config, sinkDeps()));

    assert.deepEqual(
      sinks.map(({ id }) => id),
      ['central', 'otel', 'splunk', 'elastic', 'local'],
    );
    assert.ok(!existsSync(join(path, '..')));
    for (const sink of sinks) await sink.close();
  });

  for (const type of ['http', 'otlp', 'splunk_hec', 'elasticsearch'] as const) {
    it(`refuses plain http to another machine for ${type}`, () => {
      const config = { type, id: 'x', ...REMOTE, url: 'http://collector.example.com' } as SinkConfig;

      assert.throws(() => createSink(config, sinkDeps()), { code: 'SINK_ADDRESS' });
    });
  }
});
