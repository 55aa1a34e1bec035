import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createSink } from '../../../agent/sinks/index.ts';
import { tempDir } from '../../support/temp.ts';
import { sinkDeps } from './support.ts';

const BATCH = { maxRows: 500, maxBytes: 1 << 20 };

describe('agent/sinks/index', () => {
  it('makes every kind of sink under its configured id, without touching anything yet', async () => {
    const path = join(tempDir(), 'out', 'rows.jsonl');

    const http = createSink(
      {
        type: 'http',
        id: 'central',
        url: 'https://collector.example.com',
        compression: 'gzip',
        timeoutMs: 1000,
        allowInsecure: false,
        batch: BATCH,
      },
      sinkDeps(),
    );
    const file = createSink(
      { type: 'file', id: 'local', path, maxBytes: 1000, maxFiles: 1, batch: BATCH },
      sinkDeps(),
    );

    assert.deepEqual([http.id, file.id], ['central', 'local']);
    assert.ok(!existsSync(join(path, '..')));
    await http.close();
    await file.close();
  });
});
