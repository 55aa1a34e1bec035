import assert from 'node:assert/strict';
import { rowOf } from '../support/batches.ts';
import { brokenLog, brokenSequence, brokenTexts } from './promises.ts';

describe('test/cases/promises', () => {
  it('finds U+0000 wherever it hides in a row', () => {
    const rows = [
      rowOf('a\0b', 1),
      rowOf('in an attribute', 2, { attributes: { reason: '\0' } }),
      rowOf('only the letters \\u0000', 3),
    ];

    const found = brokenTexts(rows.map((row) => ({ row, copies: 1 })));

    assert.equal(found.length, 2);
  });

  it('finds a gap, a late start and a number used twice', () => {
    const problems = (numbers: readonly number[]) =>
      brokenSequence(numbers.map((seq) => ({ row: rowOf(`row ${seq}`, seq), copies: 1 }))).length;

    assert.equal(problems([2, 1, 3]), 0);
    assert.equal(problems([1, 3]), 1);
    assert.equal(problems([2, 3]), 1);
    assert.equal(problems([1, 2, 2]), 1);
  });

  it('finds errors, foreign output and the token in a log', () => {
    const line = (level: string, message: string) => `${JSON.stringify({ level, message })}\n`;

    assert.deepEqual(brokenLog(line('info', 'fine') + line('warn', 'a pity'), 'secret'), []);
    assert.match(brokenLog(line('error', 'broken'), 'secret')[0] ?? '', /logged an error/);
    assert.match(brokenLog('Segmentation fault\n', 'secret')[0] ?? '', /unexpected output/);
    assert.match(brokenLog(line('info', 'it is secret'), 'secret')[0] ?? '', /token/);
  });
});
