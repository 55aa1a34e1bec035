import assert from 'node:assert/strict';
import { formatNumber, formatTable, markdownTable } from '../../../bench/lib/table.ts';

describe('bench/lib/table', () => {
  it('sets columns under their titles', () => {
    const text = formatTable(
      ['case', 'MB/s'],
      [
        ['a', '1,234'],
        ['longer', '5'],
      ],
    );

    assert.equal(text, ['case     MB/s', '------  -----', 'a       1,234', 'longer      5'].join('\n'));
  });

  it('writes Markdown, and keeps a bar inside its cell', () => {
    const text = markdownTable(['case', 'x'], [['a|b', '1']]);

    assert.equal(text, ['| case |   x |', '| ---- | --: |', '| a\\|b |   1 |'].join('\n'));
  });

  for (const [value, text] of [
    [1_234_567.8, '1,234,568'],
    [1_000, '1,000'],
    [999.4, '999'],
    [12.345, '12.3'],
    [7, '7'],
    [0.5, '0.500'],
    [0.012345, '0.012'],
    [0, '0'],
    [Number.NaN, '-'],
  ] as const) {
    it(`writes ${value} as ${text}`, () => {
      assert.equal(formatNumber(value), text);
    });
  }
});
