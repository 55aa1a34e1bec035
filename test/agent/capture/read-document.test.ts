import assert from 'node:assert/strict';
import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DraftRow } from '../../../agent/contract/row.ts';
import { type DocumentSpec, MAX_MEMORY_CHARS, type Source } from '../../../agent/contract/source.ts';
import type { MemoryPort } from '../../support/memory-port.ts';
import { tempDir } from '../../support/temp.ts';
import { toySource } from '../../support/toy-source.ts';
import { until } from '../../support/until.ts';
import { startCapture, storeOf } from './support.ts';

describe('agent/capture/read-document', () => {
  it('gives a parser what it remembered of the version before', async () => {
    const { port, file } = await begin('one');

    writeFileSync(file, 'two');
    await until('the second version', () => port.texts().length === 2);

    assert.deepEqual(port.texts(), ['one after nothing', 'two after one']);
  });

  it('keeps the memory over a restart', async () => {
    const { port, file, capture, source } = await begin('one');
    await capture.stop();

    writeFileSync(file, 'two');
    await startCapture(homeOf(file), { source, port });
    await until('the second version', () => port.texts().length === 2);

    assert.deepEqual(port.texts(), ['one after nothing', 'two after one']);
  });

  it('keeps the memory when a version has none to give', async () => {
    const { port, file } = await begin('one');

    writeFileSync(file, '');
    await until('the empty version', () => port.texts().length === 2);
    writeFileSync(file, 'two');
    await until('the third version', () => port.texts().length === 3);

    assert.deepEqual(port.texts(), ['one after nothing', ' after one', 'two after one']);
  });

  it('gives no memory to another version of the source', async () => {
    const { port, file, capture, source } = await begin('one');
    await capture.stop();

    writeFileSync(file, 'two');
    await startCapture(homeOf(file), { source: { ...source, version: 2 }, port });
    await until('the second version', () => port.texts().length === 2);

    assert.deepEqual(port.texts(), ['one after nothing', 'two after nothing']);
  });

  it('keeps no memory that is too long', async () => {
    const long = 'x'.repeat(MAX_MEMORY_CHARS + 1);
    const { port, file } = await begin(long);

    writeFileSync(file, 'two');
    await until('the second version', () => port.texts().length === 2);

    assert.equal(port.texts()[1], 'two after nothing');
  });

  it('names the session of a document that went away', async () => {
    const { port, file } = await begin('one');

    unlinkSync(file);
    await until('the deletion', () => port.events().includes('session.deleted'));

    assert.equal(port.rows.at(-1)?.session_id, 's');
  });

  it('remembers over a restart that a file gave rows', async () => {
    const { port, file, capture, source } = await begin('one');
    await capture.stop();

    const again = await startCapture(homeOf(file), { source, port });

    assert.deepEqual(again.capture.state().parsed, { 'gemini-cli': 1 });
  });
});

/** Tells each version of a document with the one before it; an empty one leaves the memory alone. */
const rememberingSpec: DocumentSpec = {
  name: 'remembering',
  kind: 'document',
  role: 'primary',
  matches: (path) => path.endsWith('.txt'),
  parse({ bytes, memory }, _context, emit) {
    const text = bytes.toString('utf8');
    emit(rowOf(`${text} after ${memory ?? 'nothing'}`));
    return text === '' ? 'parsed' : { memory: text };
  },
};

function rowOf(text: string): DraftRow {
  return { record: 'version', part: 'text', turn_type: 'user', text, session_id: 's' };
}

async function begin(text: string) {
  const source: Source = { ...toySource, files: [rememberingSpec] };
  const home = tempDir();
  const file = join(storeOf(home), 'a.txt');
  writeFileSync(file, text);
  const { capture, port }: { capture: { stop(): Promise<void> }; port: MemoryPort } = await startCapture(
    home,
    {
      source,
    },
  );
  await until('the first version', () => port.texts().length === 1);
  return { capture, port, file, source };
}

function homeOf(file: string): string {
  return join(file, '../..');
}
