import assert from 'node:assert/strict';
import { asList, asNumber, asObject, asText, valueAt } from '../../../parsers/shared/fields.ts';

describe('parsers/shared/fields', () => {
  it('takes only what is of the kind asked for', () => {
    const values = [undefined, null, 1, Number.NaN, '', 'a', [1], { a: 1 }];

    assert.deepEqual(
      values.map(asNumber).filter((value) => value !== undefined),
      [1],
    );
    assert.deepEqual(values.map(asText).filter(Boolean), ['a']);
    assert.deepEqual(values.map((value) => asObject(value)).filter(Boolean), [{ a: 1 }]);
    assert.deepEqual(
      values.map(asList).filter(({ length }) => length > 0),
      [[1]],
    );
  });

  it('finds a value at a path, and only own keys', () => {
    const object = { a: { b: [1] }, c: null };

    assert.deepEqual(valueAt(object, 'a.b'), [1]);
    assert.equal(valueAt(object, 'c'), null);
    for (const path of ['a.b.c', 'c.d', 'x', 'constructor', 'a.toString'])
      assert.equal(valueAt(object, path), undefined);
  });
});
