import assert from 'node:assert/strict';
import { badDocument, badElement, badLine, cutArray } from '../../../parsers/shared/bad-line.ts';

const bytes = Buffer.from('{"a\x00\x1b[31m\n\u2028b');

describe('parsers/shared/bad-line', () => {
  it('words each kind of row as the seed documents do', () => {
    const bad = { bytes: Buffer.from('{"a'), reason: 'cut off', line: 4 };

    assert.equal(badLine(bad).text, 'parser: unparseable line (cut off): {"a');
    assert.equal(badElement(2, bad).text, 'parser: unparseable record 2 (cut off): {"a');
    assert.equal(cutArray(3, bad).text, 'parser: array cut off after record 3: {"a');
    assert.equal(badDocument('not a session file', bad).text, 'parser: not a session file (cut off): {"a');
    assert.deepEqual(badLine(bad).attributes, { reason: 'cut off', bytes: 3 });
    assert.equal(badLine(bad).source_line, 4);
  });

  it('quotes no control characters and not much', () => {
    const short = badLine({ bytes, reason: 'x', line: 1 }).text;
    const long = badLine({ bytes: Buffer.from('🙂'.repeat(5000)), reason: 'x', line: 1 }).text;

    assert.equal(short, 'parser: unparseable line (x): {"a [31m b');
    assert.ok(long.length < 300 && long.isWellFormed() && long.endsWith('\u2026'));
  });

  it('quotes nothing when nothing can be shown', () => {
    assert.equal(
      badLine({ bytes: Buffer.alloc(300), reason: '300 NUL bytes', line: 1 }).text,
      'parser: unparseable line (300 NUL bytes)',
    );
  });

  it('identifies a row by its bytes alone', () => {
    const first = badLine({ bytes, reason: 'cut off', line: 1 });
    const second = badLine({ bytes: Buffer.from(bytes), reason: 'not valid JSON', line: 9 });
    const other = badLine({ bytes: Buffer.from('x'), reason: 'cut off', line: 1 });

    assert.deepEqual([first.record, first.part, first.content], [second.record, second.part, second.content]);
    assert.notEqual(first.record, other.record);
  });
});
