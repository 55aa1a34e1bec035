import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { fileOutput, flat, oneLine, printable, table } from '../../../agent/cli/output.ts';
import { EnvironmentError } from '../../../agent/contract/errors.ts';
import { tempDir } from '../../support/temp.ts';

/** Everything that a terminal may act upon, be it in one byte or in two. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe('agent/cli/output', () => {
  it('lets no control character of a text reach the terminal', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        assert.doesNotMatch(printable(text), CONTROL);
        assert.doesNotMatch(flat(text), /[\p{Cc}\p{Cf}\u2028\u2029]/u);
      }),
    );
  });

  it('keeps everything else of a text as it is', () => {
    const text = 'schön 🙂\n\tindented, "quoted"\n';

    assert.equal(printable(text), text);
  });

  it('takes sequences apart that colour, title, clear or write to the clipboard', () => {
    for (const sequence of [
      '\x1b[31m',
      '\x1b]0;title\x07',
      '\x1bc',
      '\x9b2J',
      '\x1b]52;c;aGk=\x1b\\',
      '\r\x08',
    ])
      assert.doesNotMatch(printable(`a${sequence}b`), CONTROL);
  });

  it('puts a text on one line of bounded length', () => {
    fc.assert(
      fc.property(anyText(), fc.integer({ min: 1, max: 30 }), (text, width) => {
        const line = oneLine(text, width);

        assert.ok(line.length <= width);
        assert.doesNotMatch(line, /[\n\r\t]/);
      }),
    );
    assert.equal(oneLine('  a \n b  ', 20), 'a b');
    assert.equal(oneLine('abcdefgh', 5), 'abcd…');
  });

  it('makes columns, whatever names people give to their sessions', () => {
    const lines = table([
      ['SESSION', 'AGENT', 'PROJECT'],
      ['abc', 'gemini-cli', '/p'],
      ['x\x1b[2J\ny', 'q', ''],
    ]);

    assert.deepEqual(lines, ['SESSION  AGENT       PROJECT', 'abc      gemini-cli  /p', 'x[2Jy    q']);
  });

  it('writes a file that only its owner can read, whole when it is ended', async () => {
    const file = join(tempDir(), 'rows.jsonl');
    const output = fileOutput(file);

    for (let n = 0; n < 2_000; n++) await output.line(`${n} ${'x'.repeat(100)}`);
    await output.end();

    assert.equal(readFileSync(file, 'utf8').split('\n').length, 2_001);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('says at once, and as no bug, that a file cannot be written', () => {
    const dir = tempDir();
    mkdirSync(join(dir, 'folder'));

    for (const path of [join(dir, 'none/rows.csv'), join(dir, 'folder')])
      assert.throws(() => fileOutput(path), EnvironmentError);
  });

  it('says that the disk is full instead of ending as if all were well', async () => {
    const output = fileOutput('/dev/full');

    await assert.rejects(async () => {
      for (let n = 0; n < 1_000; n++) await output.line('x'.repeat(1_000));
      await output.end();
    }, EnvironmentError);
  });
});

function anyText() {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.constantFrom('\x1b[', '\x9b', '\r', '\n', '\t', '\u202e', '\u2066', '\x07', '\x7f', '🙂'),
  );
  return fc.array(unit, { maxLength: 20 }).map((units) => units.join(''));
}
