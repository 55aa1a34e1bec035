import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scanJsonArray } from '../../../parsers/shared/json-array.ts';

function scan(text: string, path: readonly string[] = []) {
  const bytes = Buffer.from(text);
  const found = scanJsonArray(bytes, path);
  if (!found) return undefined;
  return {
    elements: found.elements.map(({ start, end }) => bytes.toString('utf8', start, end)),
    lines: found.elements.map(({ line }) => line),
    complete: found.complete,
    rest: bytes.toString('utf8', found.end),
  };
}

describe('parsers/shared/json-array', () => {
  it('gives the place and the line of each element of the document', () => {
    assert.deepEqual(scan('[\n  {"a": "]"},\n  "x,y",\n  7\n]\n'), {
      elements: ['{"a": "]"}', '"x,y"', '7'],
      lines: [2, 3, 4],
      complete: true,
      rest: '\n',
    });
  });

  it('finds an array by its keys, past values of any form', () => {
    const text =
      '{"x": {"messages": [9]}, "s": "messages\\"", "n": -1.5e3, "t": true, "messages": [1, [2, 3]]}';

    assert.deepEqual(scan(text, ['messages'])?.elements, ['1', '[2, 3]']);
    assert.deepEqual(scan(text, ['x', 'messages'])?.elements, ['9']);
  });

  it('gives the complete leading elements of an array that is cut off', () => {
    assert.deepEqual(scan('{"m":[{"a":1},{"b":2', ['m']), {
      elements: ['{"a":1}'],
      lines: [1],
      complete: false,
      rest: '{"b":2',
    });
    assert.deepEqual(scan('[1,2,3')?.elements, ['1', '2']);
    assert.deepEqual(scan('[{"a":1}')?.complete, false);
    assert.deepEqual(scan('[')?.elements, []);
  });

  it('is undefined where there is no array', () => {
    for (const text of ['', '{', '{"a', '{"a"', '{"a":', '{"m":{}}', '{"n":[]}', '7']) {
      assert.equal(scan(text, ['m']), undefined, text);
    }
    assert.equal(scan('{}'), undefined);
  });

  it('takes an empty array and a byte order mark', () => {
    assert.deepEqual(scan('\ufeff[ ]')?.elements, []);
    assert.equal(scan('\ufeff[ ]')?.complete, true);
  });

  it('gives the elements that JSON.parse gives', () => {
    const documents = fc.tuple(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 2, '\t'));

    fc.assert(
      fc.property(documents, ([values, indent]) => {
        const text = JSON.stringify({ before: 'x', list: values, after: [] }, null, indent);

        const elements = scan(text, ['list'])?.elements.map((element) => JSON.parse(element));
        assert.deepEqual(elements, JSON.parse(JSON.stringify(values)));
      }),
    );
  });

  it('gives only leading elements of any cut document', () => {
    const text = JSON.stringify({ list: [{ a: 'x]y' }, [1, 2], 'z\\"', 12, null] }, null, 2);
    const whole = scan(text, ['list'])?.elements ?? [];

    for (let end = 0; end < text.length; end++) {
      const elements = scan(text.slice(0, end), ['list'])?.elements ?? [];

      assert.deepEqual(elements, whole.slice(0, elements.length));
    }
  });
});
