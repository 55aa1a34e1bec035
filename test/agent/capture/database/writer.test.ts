import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import type { Source } from '../../../../agent/contract/source.ts';
import { tempDir } from '../../../support/temp.ts';
import { until } from '../../../support/until.ts';
import { startCapture, storeOf } from '../support.ts';

const WRITER = join(import.meta.dirname, '../../../../bench/processes/slot-writer.ts');

describe('capture/database beside a program that writes', () => {
  it('keeps nobody waiting who rewrites a value of twenty megabytes again and again', async () => {
    const home = tempDir();
    const path = join(storeOf(home), 'data.sqlite3');
    const { port } = await startCapture(home, { source: slots, limits: { maxDocumentBytes: 1 << 26 } });

    const result = await runWriter([path, '20', '15', '200']);

    assert.deepEqual(result.failures, []);
    await until('the last version', () => port.texts().includes('version 15'));
    assert.ok(port.texts().length > 3, `${port.texts().length} of 15 versions`);
    assert.deepEqual(readdirSync(storeOf(home)), ['data.sqlite3']);
  }).timeout(60_000);

  it('keeps nobody waiting who does not wait at all', async () => {
    const home = tempDir();
    const path = join(storeOf(home), 'data.sqlite3');
    const db = new Database(path, { timeout: 0 });
    db.exec('CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)');
    const { port } = await startCapture(home, { source: slots });

    const write = db.prepare('INSERT OR REPLACE INTO conversations VALUES (?, ?)');
    for (let version = 1; version <= 100; version++) {
      write.run('k', JSON.stringify(['x'.repeat(5_000), `version ${version}`]));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    db.close();

    await until('the last version', () => port.texts().includes('version 100'));
    for (const text of port.texts()) assert.match(text, /^version \d+$/);
  });
});

/** The last text of a slot, with the promise that the one before it is of one and the same writing. */
const slots: Source = {
  id: 'gemini-cli',
  title: 'Slots',
  version: 1,
  roots: [{ path: '.toy' }],
  skipDirectory: () => false,
  files: [
    {
      kind: 'database',
      name: 'slots',
      role: 'primary',
      matches: (relative) => relative.endsWith('.sqlite3'),
      tables: [
        {
          name: 'conversations',
          key: ['key'],
          columns: ['value'],
          parse({ cells }, _context, emit) {
            const [filling = '', text = ''] = JSON.parse(String(cells['value'])) as string[];
            const isWhole = filling.startsWith('all the words') || new Set(filling).size === 1;
            emit({
              record: text,
              part: 'text',
              turn_type: 'user',
              text: isWhole ? text : 'torn',
              session_id: 's',
            });
            return undefined;
          },
        },
      ],
    },
  ],
};

async function runWriter(options: readonly string[]): Promise<{ latencies: number[]; failures: string[] }> {
  const { stdout } = await promisify(execFile)(process.execPath, [WRITER, ...options]);
  return JSON.parse(stdout) as { latencies: number[]; failures: string[] };
}
