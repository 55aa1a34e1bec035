import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openSourceFile } from '../../../agent/capture/open-file.ts';
import { onCleanUp, tempDir } from '../../support/temp.ts';

const GIB = 1024 ** 3;

describe('agent/capture/open-file', () => {
  it('opens a plain file and tells what it is', () => {
    const file = write('hello');

    const result = openSourceFile(file, process.getuid?.() ?? null);

    assert.equal(result.kind, 'open');
    if (result.kind !== 'open') return;
    using opened = result.file;
    assert.equal(opened.facts.size, 5);
    assert.equal(opened.read(1, 100).toString(), 'ello');
  });

  it('sees what was appended after a look again, and reads it', () => {
    const file = write('one');
    const result = openSourceFile(file, null);
    assert.equal(result.kind, 'open');
    if (result.kind !== 'open') return;
    using opened = result.file;

    appendFileSync(file, 'two');
    opened.refresh();

    assert.equal(opened.facts.size, 6);
    assert.equal(opened.read(3, 3).toString(), 'two');
  });

  it('follows no symbolic link', () => {
    const file = write('secret');
    const link = join(tempDir(), 'link.log');
    symlinkSync(file, link);

    assert.deepEqual(openSourceFile(link, null), { kind: 'refused', reason: 'symbolic link' });
  });

  it('does not wait for a writer of a pipe', () => {
    const pipe = join(tempDir(), 'pipe.log');
    assert.equal(spawnSync('mkfifo', [pipe]).status, 0);

    assert.equal(refusalOf(pipe), 'not a plain file');
  });

  it('refuses a device, a directory and a socket', async () => {
    const dir = join(tempDir(), 'dir.log');
    mkdirSync(dir);
    const socket = join(tempDir(), 'socket.log');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    onCleanUp(() => void server.close());

    assert.equal(refusalOf('/dev/zero'), 'not a plain file');
    assert.equal(refusalOf(dir), 'not a plain file');
    assert.equal(refusalOf(socket), 'not a plain file');
  });

  it("refuses another user's file, and takes it when any owner will do", () => {
    const file = write('text');

    assert.equal(refusalOf(file, (process.getuid?.() ?? 0) + 1), 'belongs to another user');
    assert.equal(openAndClose(file, null), 'open');
  });

  it('refuses a huge hole, and takes a large file that is not one', () => {
    const hole = write('');
    truncateSync(hole, 2 * GIB);
    const small = write('');
    truncateSync(small, GIB / 2);

    assert.equal(refusalOf(hole), 'sparse file');
    assert.equal(openAndClose(small, null), 'open');
  });

  it('tells a file that is gone from one that may not be read', () => {
    const file = write('text');

    assert.deepEqual(openSourceFile(join(file, 'below'), null), { kind: 'gone' });
    assert.deepEqual(openSourceFile(`${file}.other`, null), { kind: 'gone' });
    assert.equal(openSourceFile(join(tempDir(), 'n'.repeat(300)), null).kind, 'failed');
  });

  it('keeps no descriptor of what it refused, nor after it was let go twice', () => {
    const file = write('text');
    const before = readdirSync('/dev/fd').length;

    for (let round = 0; round < 20; round++) {
      refusalOf(tempDir());
      const result = openSourceFile(file, null);
      assert.equal(result.kind, 'open');
      if (result.kind !== 'open') return;
      result.file[Symbol.dispose]();
      result.file[Symbol.dispose]();
    }

    assert.equal(readdirSync('/dev/fd').length, before);
  });
});

function write(text: string): string {
  const file = join(tempDir(), 'a.log');
  writeFileSync(file, text);
  return file;
}

function refusalOf(path: string, ownerUid: number | null = null): string | undefined {
  const result = openSourceFile(path, ownerUid);
  if (result.kind === 'open') result.file[Symbol.dispose]();
  return result.kind === 'refused' ? result.reason : undefined;
}

function openAndClose(path: string, ownerUid: number | null): string {
  const result = openSourceFile(path, ownerUid);
  if (result.kind === 'open') result.file[Symbol.dispose]();
  return result.kind;
}
