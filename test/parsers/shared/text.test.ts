import assert from 'node:assert/strict';
import { cleanText, excerpt } from '../../../parsers/shared/text.ts';

describe('parsers/shared/text', () => {
  it('leaves good text as it is', () => {
    for (const text of ['', 'plain', 'größer 🙂\n\u2028']) assert.equal(cleanText(text), text);
  });

  it('shows NUL and repairs broken pairs', () => {
    assert.equal(cleanText('a\0b\0'), 'a\u2400b\u2400');
    assert.equal(cleanText('a\ud83d'), 'a\ufffd');
    assert.equal(cleanText('\ude42\0'), '\ufffd\u2400');
  });

  it('shows the start of bytes on one line', () => {
    assert.equal(excerpt(Buffer.from(' a\r\n\tb\u0085c '), 20), 'a b c');
    assert.equal(excerpt(Buffer.from('abcdef'), 3), 'abc\u2026');
    assert.equal(excerpt(Buffer.from([0x61, 0xff]), 20), 'a\ufffd');
  });
});
