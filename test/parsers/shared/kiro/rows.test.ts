import assert from 'node:assert/strict';
import { shownText } from '../../../../parsers/shared/kiro/rows.ts';

describe('parsers/shared/kiro/rows', () => {
  it('shows what would act on a terminal, in its seven-bit and its eight-bit form', () => {
    assert.equal(shownText('\u001b[31mred\u001b[0m'), '\u241b[31mred\u241b[0m');
    assert.equal(shownText('\u009b31mred'), '\ufffd31mred');
    assert.equal(shownText('plain żółć 東京\n\t\u0085text'), 'plain żółć 東京\n\t\u0085text');
  });
});
