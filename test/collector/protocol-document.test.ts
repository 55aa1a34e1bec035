import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpSink, NEVER, TOKEN } from '../agent/sinks/support.ts';
import { batchOf, rowsOf, textsOf } from '../support/batches.ts';
import { onCleanUp, tempDir } from '../support/temp.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/collector-protocol.md'), 'utf8');

/** Runs the collector that the document shows; gives its address and its file. */
async function startShownCollector() {
  const dir = tempDir();
  const program = join(dir, 'collector.mjs');
  const file = join(dir, 'rows.jsonl');
  writeFileSync(program, /```js\n(.*?)```/s.exec(DOCUMENT)?.[1] ?? '');
  const env = { COLLECTOR_TOKEN: TOKEN, COLLECTOR_FILE: file, PORT: '0' };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onCleanUp(() => void child.kill('SIGKILL'));
  const [port] = (await child.stdout.take(1).toArray()) as Buffer[];
  return { url: `http://127.0.0.1:${String(port).trim()}`, file };
}

describe('docs/collector-protocol.md', () => {
  for (const compression of ['gzip', 'zstd', 'none'] as const) {
    it(`shows a collector that works, with ${compression}`, async () => {
      const { url, file } = await startShownCollector();
      const sink = httpSink({ url, compression });

      const results = [
        await sink.send(batchOf(rowsOf(3)), NEVER),
        await sink.send(batchOf(rowsOf(3)), NEVER),
        await sink.send(batchOf(rowsOf(2, 3)), NEVER),
        await httpSink({ url, tokenEnv: null }).send(batchOf(rowsOf(9)), NEVER),
      ];

      assert.deepEqual(
        results.map(({ kind }) => kind),
        ['accepted', 'accepted', 'accepted', 'unauthorized'],
      );
      assert.deepEqual(textsOf(readFileSync(file)), ['row 1', 'row 2', 'row 3', 'row 4']);
    });
  }

  it('shows it in about thirty lines', () => {
    const code = /```js\n(.*?)```/s.exec(DOCUMENT)?.[1] ?? '';
    const lines = code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import'));

    assert.ok(lines.length > 20 && lines.length <= 32, `${lines.length} lines`);
  });
});
