import assert from 'node:assert/strict';
import { listedRows, wantsSameIds } from './listed-rows.ts';

describe('test/cases/listed-rows', () => {
  it('reads the objects of the block, and nothing around it', () => {
    const rows = listedRows(
      '{"turn":"no"}\n```rows\n{"turn":"user"}\n\n{"text":"a","line":2}\n```\n{"turn":"no"}\n',
    );

    assert.deepEqual(rows, [{ turn: 'user' }, { text: 'a', line: 2 }]);
  });

  it('splits at the line feed only', () => {
    const rows = listedRows('```rows\n{"text":"a\u2028b\u0085c"}\n```\n');

    assert.deepEqual(rows, [{ text: 'a\u2028b\u0085c' }]);
  });

  it('tells an empty block from none', () => {
    assert.deepEqual(listedRows('```rows\n```\n'), []);
    assert.equal(listedRows('no rows\n'), undefined);
  });

  it('refuses a key that nothing would compare', () => {
    assert.throws(() => listedRows('```rows\n{"turn":"user","branch":"main"}\n```\n'), /branch/);
  });

  it('finds the promise of equal ids in the notes', () => {
    assert.ok(wantsSameIds('- cold run and warm run give the same set of row ids\n'));
    assert.ok(!wantsSameIds('- two rows of the same line have different row ids\n'));
  });
});
