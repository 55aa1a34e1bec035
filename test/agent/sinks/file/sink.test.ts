import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileSinkConfig } from '../../../../agent/sinks/config.ts';
import { createFileSink } from '../../../../agent/sinks/file/sink.ts';
import { batchOf, rowsOf, textsOf } from '../../../support/batches.ts';
import { sinkContract } from '../../../support/sink-contract.ts';
import { tempDir } from '../../../support/temp.ts';
import { NEVER, reasonOf } from '../support.ts';

function fileSink(path: string, changes: Partial<FileSinkConfig> = {}) {
  const batch = { maxRows: 500, maxBytes: 1 << 20 };
  return createFileSink({
    type: 'file',
    id: 'local',
    path,
    maxBytes: 1 << 30,
    maxFiles: 3,
    batch,
    ...changes,
  });
}

function textsIn(path: string): string[] {
  return existsSync(path) && statSync(path).isFile() ? textsOf(readFileSync(path)) : [];
}

sinkContract('file', async () => {
  const path = join(tempDir(), 'rows.jsonl');
  const aside = `${path}.aside`;
  return {
    sink: fileSink(path),
    received: () => textsIn(existsSync(aside) ? aside : path),
    // A directory in the place of the file breaks it for root too.
    break() {
      if (existsSync(path)) renameSync(path, aside);
      mkdirSync(path);
    },
    mend() {
      rmSync(path, { recursive: true });
      if (existsSync(aside)) renameSync(aside, path);
    },
  };
});

describe('agent/sinks/file/sink', () => {
  it('makes directory and file so that only their owner reads them', async () => {
    const path = join(tempDir(), 'a', 'b', 'rows.jsonl');

    await fileSink(path).send(batchOf(rowsOf(1)), NEVER);

    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
  });

  it('rotates by size and keeps as many files as configured', async () => {
    const dir = tempDir();
    const path = join(dir, 'rows.jsonl');
    const bytes = batchOf(rowsOf(1)).ndjson.length;
    const sink = fileSink(path, { maxBytes: bytes * 2 + 10, maxFiles: 2 });

    for (let seq = 1; seq <= 9; seq++) await sink.send(batchOf(rowsOf(1, seq)), NEVER);

    assert.deepEqual(readdirSync(dir).sort(), ['rows.1.jsonl', 'rows.2.jsonl', 'rows.jsonl']);
    assert.deepEqual(textsIn(path), ['row 9']);
    assert.deepEqual(textsIn(join(dir, 'rows.1.jsonl')), ['row 7', 'row 8']);
    assert.deepEqual(textsIn(join(dir, 'rows.2.jsonl')), ['row 5', 'row 6']);
  });

  it('removes rotated files beyond a smaller setting, and nothing else', async () => {
    const dir = tempDir();
    const path = join(dir, 'rows.jsonl');
    const others = ['rows.7.jsonl', 'rows.jsonl.bak', 'rows.x.jsonl', 'other.9.jsonl'];
    for (const name of others) writeFileSync(join(dir, name), 'kept\n');
    const sink = fileSink(path, { maxBytes: 10, maxFiles: 1 });

    await sink.send(batchOf(rowsOf(1, 1)), NEVER);
    await sink.send(batchOf(rowsOf(1, 2)), NEVER);

    assert.deepEqual(
      readdirSync(dir).sort(),
      ['other.9.jsonl', 'rows.1.jsonl', 'rows.jsonl', 'rows.jsonl.bak', 'rows.x.jsonl'].sort(),
    );
  });

  it('takes a batch that is larger than a file may be', async () => {
    const path = join(tempDir(), 'rows.jsonl');

    const result = await fileSink(path, { maxBytes: 100 }).send(batchOf(rowsOf(20)), NEVER);

    assert.deepEqual(result, { kind: 'accepted' });
    assert.equal(textsIn(path).length, 20);
  });

  it('ends a line that a crash cut, so that the next row stands alone', async () => {
    const path = join(tempDir(), 'rows.jsonl');
    await fileSink(path).send(batchOf(rowsOf(2)), NEVER);
    truncateSync(path, statSync(path).size - 30);

    await fileSink(path).send(batchOf(rowsOf(2)), NEVER);

    const lines = readFileSync(path, 'utf8').split('\n');
    assert.equal(lines.length, 5);
    assert.throws(() => JSON.parse(lines[1] ?? ''));
    assert.deepEqual(textsOf([lines[0], lines[2], lines[3]].join('\n')), ['row 1', 'row 1', 'row 2']);
  });

  it('goes on in a new file when the old one was moved away or deleted', async () => {
    const path = join(tempDir(), 'rows.jsonl');
    const sink = fileSink(path);
    await sink.send(batchOf(rowsOf(1, 1)), NEVER);
    renameSync(path, `${path}.moved`);
    await sink.send(batchOf(rowsOf(1, 2)), NEVER);
    rmSync(path);
    await sink.send(batchOf(rowsOf(1, 3)), NEVER);

    assert.deepEqual(textsIn(`${path}.moved`), ['row 1']);
    assert.deepEqual(textsIn(path), ['row 3']);
  });

  it('does not write through a symbolic link', async () => {
    const dir = tempDir();
    const victim = join(dir, 'victim');
    writeFileSync(victim, 'kept');
    symlinkSync(victim, join(dir, 'rows.jsonl'));

    const result = await fileSink(join(dir, 'rows.jsonl')).send(batchOf(rowsOf(1)), NEVER);

    assert.match(reasonOf(result), /it is a symbolic link/);
    assert.equal(readFileSync(victim, 'utf8'), 'kept');
  });

  it('asks for a retry on a full disk, and takes back the part that was written', async () => {
    const path = join(tempDir(), 'rows.jsonl');
    const sink = fileSink(path);
    await sink.send(batchOf(rowsOf(2)), NEVER);
    const before = readFileSync(path, 'utf8');
    const restore = await fillDiskAfter(path, 40);

    const result = await sink.send(batchOf(rowsOf(2, 3)), NEVER);
    restore();

    assert.deepEqual(result, { kind: 'retry', reason: `${path} cannot be written: the disk is full` });
    assert.equal(readFileSync(path, 'utf8'), before);
  });

  it('refuses what is no regular file', async () => {
    const result = await fileSink('/dev/null').send(batchOf(rowsOf(1)), NEVER);

    assert.deepEqual(result, { kind: 'retry', reason: '/dev/null cannot be written: not a regular file' });
  });

  it('keeps the file readable for others when its owner made it so', async () => {
    const path = join(tempDir(), 'rows.jsonl');
    appendFileSync(path, '');
    chmodSync(path, 0o644);

    await fileSink(path).send(batchOf(rowsOf(1)), NEVER);

    assert.equal(statSync(path).mode & 0o777, 0o644);
  });
});

/** Lets writes of this process fail with ENOSPC after some bytes, as a full disk does; returns the way back. */
async function fillDiskAfter(path: string, bytes: number): Promise<() => void> {
  const handle = await open(path, 'r');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const { writeFile } = prototype;
  prototype.writeFile = async function (this: FileHandle, data) {
    await writeFile.call(this, Buffer.from(data as Buffer).subarray(0, bytes));
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  return () => {
    prototype.writeFile = writeFile;
  };
}
