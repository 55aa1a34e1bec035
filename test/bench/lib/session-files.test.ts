import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eachLine, sessionFiles } from '../../../bench/lib/session-files.ts';
import { tempDir } from '../../support/temp.ts';

describe('bench/lib/session-files', () => {
  it('finds the logs below chats folders and nothing else', () => {
    const home = tempDir();
    const wanted = ['.gemini/tmp/a/chats/one.jsonl', '.gemini/tmp/b/chats/sub/two.jsonl'];
    for (const path of [
      ...wanted,
      '.gemini/tmp/a/logs.json',
      '.gemini/tmp/a/three.jsonl',
      'chats/four.jsonl',
    ])
      write(join(home, path), '{}\n');

    const found = sessionFiles(home);

    assert.deepEqual(
      found,
      wanted.map((path) => join(home, path)),
    );
  });

  it('finds nothing in an empty home', () => {
    assert.deepEqual(sessionFiles(tempDir()), []);
  });

  it('cuts a file into lines, also where a line is longer than one read', () => {
    const file = join(tempDir(), 'long.jsonl');
    const lines = ['short', 'x'.repeat(3 * 2 ** 20), '', 'ende ü'];
    write(file, `${lines.join('\n')}\n`);

    const read: string[] = [];
    const bytes = eachLine(file, (line) => read.push(line.toString('utf8')));

    assert.deepEqual(read, lines);
    assert.equal(bytes, Buffer.byteLength(lines.join('\n')) + 1);
  });
});

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
