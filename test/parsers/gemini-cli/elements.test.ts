import assert from 'node:assert/strict';
import { cutRow, readAround, readElements, restRow } from '../../../parsers/gemini-cli/elements.ts';

describe('parsers/gemini-cli/elements', () => {
  it('reads the elements of a list with their lines, and says which is no object', () => {
    const list = read('[\n{"a":1},\n 7,\n{"b":2}\n]');

    assert.deepEqual(
      list.elements.map(({ line, record }) => [line, typeof record === 'string' ? record : record.value]),
      [
        [2, { a: 1 }],
        [3, 'not a JSON object'],
        [4, { b: 2 }],
      ],
    );
    assert.equal(list.isWhole, false);
  });

  it('reads the object around the list, also when the end is missing', () => {
    const bytes = Buffer.from('{"a":1,"list":[{"x":1}],"b":2}');
    const cut = bytes.subarray(0, 20);

    assert.deepEqual(around(bytes), { value: { a: 1, list: [], b: 2 }, isWhole: true });
    assert.deepEqual(around(cut), { value: { a: 1, list: [] }, isWhole: false });
  });

  it('quotes what is left of an element that is cut, with its line', () => {
    const bytes = Buffer.from('[{"a":1},\n{"b":');

    const row = cutRow(bytes, read(bytes));

    assert.equal(row.text, 'parser: unparseable record 2 (cut off): {"b":');
    assert.equal(row.source_line, 2);
  });

  it('says only that the end is missing when nothing is left', () => {
    const rows = ['[{"a":1}', '[{"a":2},'].map((text) => cutRow(Buffer.from(text), read(text)));

    assert.deepEqual(
      rows.map(({ text }) => text),
      ['parser: array cut off after record 1', 'parser: array cut off after record 1'],
    );
    assert.notEqual(rows[0]?.record, rows[1]?.record);
  });

  it('tells what stands after the end of the list', () => {
    const list = (text: string) => restRow(Buffer.from(text), read(text), 'history damaged');

    assert.equal(list('[] \n'), undefined);
    assert.match(
      list('[{}]\nabc')?.text ?? '',
      /^parser: history damaged \(more after the end of the list\): abc$/,
    );
    assert.equal(list('[{}]\nabc')?.source_line, 2);
  });
});

function read(content: string | Buffer) {
  const list = readElements(Buffer.from(content), []);
  assert.ok(list);
  return list;
}

function around(bytes: Buffer) {
  const list = readElements(bytes, ['list']);
  assert.ok(list);
  const { value, isWhole } = readAround(bytes, list.scan);
  return { value: value?.value, isWhole };
}
