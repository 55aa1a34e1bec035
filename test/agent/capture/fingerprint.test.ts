import assert from 'node:assert/strict';
import { appendFileSync, renameSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorsAt, compareWith, type FileChange, isSameFile } from '../../../agent/capture/fingerprint.ts';
import { type OpenedFile, openSourceFile } from '../../../agent/capture/open-file.ts';
import { onCleanUp, tempDir } from '../../support/temp.ts';

/** Longer than the anchored pieces at both ends together. */
const LONG = 20_000;

describe('agent/capture/fingerprint', () => {
  for (const size of [0, 10, 1_024, 1_025, LONG]) {
    it(`tells what became of a file of ${size} bytes`, () => {
      const changes: Record<string, FileChange> = {
        untouched: changeAfter(size, () => {}),
        appended: changeAfter(size, (file) => appendFileSync(file, 'more')),
        replaced: changeAfter(size, (file) => {
          writeFileSync(`${file}.new`, 'x'.repeat(size));
          renameSync(`${file}.new`, file);
        }),
      };

      assert.deepEqual(changes, { untouched: 'same', appended: 'grown', replaced: 'replaced' });
    });
  }

  it('sees a file that was cut', () => {
    assert.equal(
      changeAfter(LONG, (file) => truncateSync(file, LONG - 1)),
      'truncated',
    );
  });

  for (const [where, at] of [
    ['first bytes', 0],
    ['last bytes', LONG - 1],
    ['last bytes of the head', 1_023],
    ['first bytes of the tail', LONG - 4_096],
  ] as const) {
    it(`sees that the ${where} were rewritten, also when the file grew`, () => {
      const rewritten = Buffer.alloc(LONG, 'x');
      rewritten[at] = 0x79;

      const sameSize = changeAfter(LONG, (file) => writeFileSync(file, rewritten));
      const longer = changeAfter(LONG, (file) => writeFileSync(file, Buffer.concat([rewritten, rewritten])));

      assert.equal(sameSize, 'rewritten');
      assert.equal(longer, 'rewritten');
    });
  }

  it('takes other times with the same text for no rewrite', () => {
    assert.equal(
      changeAfter(LONG, (file) => utimesSync(file, 1, 1)),
      'grown',
    );
  });

  it('knows a file by device, inode and birth time together', () => {
    const { facts } = open(write(5));

    assert.ok(isSameFile(facts, facts));
    for (const key of ['dev', 'ino', 'birthNs'] as const)
      assert.ok(!isSameFile(facts, { ...facts, [key]: '0' }), key);
  });

  it('looks only at what lies before the offset', () => {
    const file = open(write(LONG));

    assert.deepEqual(anchorsAt(file, 100), anchorsAt(open(write(100)), 100));
    assert.notEqual(anchorsAt(file, 100).head, anchorsAt(file, 101).head);
  });
});

function changeAfter(size: number, change: (file: string) => void): FileChange {
  const path = write(size);
  const before = open(path);
  const { facts } = before;
  const cursor = { ...facts, offset: size, ...anchorsAt(before, size) };
  change(path);
  return compareWith(open(path), cursor);
}

function write(size: number): string {
  const file = join(tempDir(), 'a.log');
  writeFileSync(file, 'x'.repeat(size));
  return file;
}

function open(path: string): OpenedFile {
  const result = openSourceFile(path, null);
  if (result.kind !== 'open') throw new Error(result.kind);
  onCleanUp(() => result.file[Symbol.dispose]());
  return result.file;
}
