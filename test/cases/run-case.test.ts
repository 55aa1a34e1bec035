import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { tempDir } from '../support/temp.ts';
import { makeCase } from './make-case.ts';
import { runCase } from './run-case.ts';

const FILE = '.gemini/tmp/proj/chats/session-2026-10-01T09-00-c0de9990.jsonl';
const HEADER = `${JSON.stringify({
  sessionId: 'c0de9990-1111-4000-8000-000000000001',
  projectHash: 'x',
  startTime: '2026-10-01T09:00:00.000Z',
  lastUpdated: '2026-10-01T09:00:00.000Z',
  kind: 'main',
})}\n`;

/** With the real agent; the rest of this folder is tested without. */
describe('test/cases/run-case', function () {
  this.timeout(60_000);

  it('fails a case whose rows do not come as listed', async () => {
    const dir = makeCase({
      home: { [FILE]: HEADER + message('m1', 'hello') },
      rows: [{ turn: 'user', text: 'another text' }],
    });

    const result = await runCase(dir);

    assert.equal(result.status, 'failed');
    assert.match(
      result.reasons.join('\n'),
      /missing row 1 .*\n.*differs in text .*\nrow that is not listed: user .*"hello"/,
    );
  });

  it('passes the same case with the right rows, warm and cold, and leaves nothing behind', async () => {
    const dir = makeCase({
      home: { [FILE]: HEADER },
      inputs: { 'm1.jsonl': message('m1', 'hello') },
      steps: [{ op: 'wait_idle' }, { op: 'append', path: FILE, from: 'm1.jsonl' }, { op: 'wait_idle' }],
      cold: 'all_but_live',
      rows: [{ turn: 'user', text: 'hello' }],
    });

    const root = tempDir();

    const result = await runCase(dir, { root });

    assert.deepEqual(result.reasons, []);
    assert.equal(result.status, 'passed');
    assert.equal(result.rows.length, 2);
    assert.deepEqual(readdirSync(root), []);
  });

  it('fails a case whose file is deleted before it is read', async () => {
    const dir = makeCase({
      home: { [FILE]: HEADER },
      inputs: { 'm1.jsonl': message('m1', 'hello') },
      steps: [
        { op: 'append', path: FILE, from: 'm1.jsonl' },
        { op: 'delete', path: FILE },
        { op: 'start_agent' },
      ],
      rows: [{ turn: 'user', text: 'hello' }],
    });

    const result = await runCase(dir);

    assert.equal(result.reasons.length, 1);
    assert.match(result.reasons[0] ?? '', /^warm: missing row 1 /);
  });

  it('still reads a file that is deleted the moment it is opened', async () => {
    const dir = makeCase({
      home: { '.gemini/tmp/proj/.project_root': '/home/alice/proj' },
      inputs: { 's.jsonl': HEADER + message('m1', 'hello') },
      steps: [
        { op: 'wait_idle' },
        { op: 'delete_on_first_open', path: FILE },
        { op: 'write', path: FILE, from: 's.jsonl' },
        { op: 'wait_idle' },
      ],
      rows: [{ turn: 'user', text: 'hello' }],
    });

    const result = await runCase(dir);

    assert.deepEqual(result.reasons, []);
    assert.match(result.rows[1] ?? '', /^cold: 1 system$/);
  });

  it('reads as an ordinary user what its owner may only read', async () => {
    const dir = makeCase({
      home: { [FILE]: HEADER + message('m1', 'hello') },
      not_as_root: true,
      steps: [
        { op: 'chmod', path: FILE, mode: '0444' },
        { op: 'chmod', path: dirname(FILE), mode: '0555' },
        { op: 'start_agent' },
        { op: 'wait_idle' },
      ],
      rows: [{ turn: 'user', text: 'hello' }],
    });

    const result = await runCase(dir);

    assert.deepEqual(result.reasons, []);
  });

  it('fails a case whose file that user may not read', async () => {
    const dir = makeCase({
      home: { [FILE]: HEADER + message('m1', 'hello') },
      not_as_root: true,
      steps: [{ op: 'chmod', path: FILE, mode: '000' }, { op: 'start_agent' }, { op: 'wait_idle' }],
      rows: [{ turn: 'user', text: 'hello' }],
    });

    const result = await runCase(dir);

    assert.match(result.reasons[0] ?? '', /^warm: missing row 1 /);
  });

  it('skips a case of another platform and says so', async () => {
    const dir = makeCase({ home: { a: '' }, platform: 'amiga' });

    const result = await runCase(dir);

    assert.equal(result.status, 'skipped');
    assert.deepEqual(result.reasons, ['only on amiga']);
  });
});

function message(id: string, content: string): string {
  return `${JSON.stringify({ id, timestamp: '2026-10-01T09:00:05.000Z', type: 'user', content })}\n`;
}
