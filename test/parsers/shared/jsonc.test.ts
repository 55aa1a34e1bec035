import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJsonc } from '../../../parsers/shared/jsonc.ts';

describe('parsers/shared/jsonc', () => {
  it('reads comments, trailing commas and a byte order mark', () => {
    const text = '\ufeff{ // one\n "a": [1, 2, ], /* two */ "b": "// no comment, ]", }';

    assert.deepEqual(parseJsonc(text), { a: [1, 2], b: '// no comment, ]' });
  });

  it('reads plain JSON as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.deepEqual(parseJsonc(text), JSON.parse(text));
      }),
    );
  });

  it('refuses what is cut off or no JSON', () => {
    for (const text of ['', '{', '{"a":', '[1,,2]', '{"a" 1}', '/* open', 'x', '{"a":1} {"b":2}'])
      assert.throws(() => parseJsonc(text), SyntaxError, text);
  });

  it('keeps __proto__ a plain key', () => {
    assert.ok(Object.hasOwn(parseJsonc('{"__proto__": {"a": 1}}') as object, '__proto__'));
  });
});
