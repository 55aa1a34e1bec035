import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeLine } from '../../../parsers/shared/jsonl.ts';

function decode(text: string | Buffer, line = 2) {
  const { records, bad } = decodeLine(Buffer.from(text), line);
  return {
    values: records.map(({ value }) => value),
    bad: bad && { reason: bad.reason, text: bad.bytes.toString() },
  };
}

describe('parsers/shared/jsonl', () => {
  it('decodes one record', () => {
    assert.deepEqual(decode('{"a":[1,"}{"]}'), { values: [{ a: [1, '}{'] }], bad: undefined });
  });

  it('passes over blank lines', () => {
    for (const text of ['', ' ', '\r', ' \t\r'])
      assert.deepEqual(decode(text), { values: [], bad: undefined });
  });

  it('takes a carriage return at the end and a byte order mark at the start of line 1', () => {
    assert.deepEqual(decode('{"a":1}\r').values, [{ a: 1 }]);
    assert.deepEqual(decode('\ufeff{"a":1}', 1).values, [{ a: 1 }]);
    assert.equal(decode('\ufeff{"a":1}', 2).bad?.reason, 'not valid JSON');
  });

  it('recovers every record of a line that holds several', () => {
    const glued = '{"a":"}{"}{"b":{"c":"\\"}{\\""}} {"d":[{}]}';

    assert.deepEqual(decode(glued), {
      values: [{ a: '}{' }, { b: { c: '"}{"' } }, { d: [{}] }],
      bad: undefined,
    });
  });

  it('gives what stands before and after a torn record, and one bad part', () => {
    assert.deepEqual(decode('{"a":1}{"b":"to'), {
      values: [{ a: 1 }],
      bad: { reason: 'not valid JSON', text: '{"b":"to' },
    });
    assert.deepEqual(decode('{"b":"to{"c":{"d":2}}'), {
      values: [{ c: { d: 2 } }],
      bad: { reason: 'not valid JSON', text: '{"b":"to' },
    });
  });

  it('does not take the inside of a torn record for a record', () => {
    const torn = '{"a":[{"text":"hi"},{"text":"ho"}],"b":"x';

    assert.deepEqual(decode(torn), { values: [], bad: { reason: 'not valid JSON', text: torn } });
  });

  it('gives one bad part, the whole line, when it is torn in several places', () => {
    const torn = '{"a":"x{"b":1}{"c":"y{"d":2}';

    assert.deepEqual(decode(torn), {
      values: [{ b: 1 }, { d: 2 }],
      bad: { reason: 'not valid JSON', text: torn },
    });
  });

  it('strips NUL bytes around records and reports how many there were', () => {
    assert.deepEqual(decode('\0\0\0'), { values: [], bad: { reason: '3 NUL bytes', text: '\0\0\0' } });
    assert.deepEqual(decode('\0{"a":1}\0\0'), {
      values: [{ a: 1 }],
      bad: { reason: '3 NUL bytes', text: '\0\0\0' },
    });
    assert.deepEqual(decode('{"a":1}\0{"b":2}'), {
      values: [{ a: 1 }, { b: 2 }],
      bad: { reason: '1 NUL bytes', text: '\0' },
    });
  });

  it('decodes invalid UTF-8 with loss and keeps the hash of the bytes', () => {
    const bytes = Buffer.from('{"a":"\xff"}', 'latin1');

    const [record] = decodeLine(bytes, 1).records;

    assert.deepEqual(record?.value, { a: '\ufffd' });
    assert.equal(record?.lossy?.encoding, 'lossy');
    assert.equal(decodeLine(Buffer.from('{"a":"\ufffd"}'), 1).records[0]?.lossy, undefined);
  });

  it('gives other JSON values as they are', () => {
    for (const value of [[1], 'x', 7, null]) assert.deepEqual(decode(JSON.stringify(value)).values, [value]);
  });

  it('refuses a line that holds too many values or is nested too deeply', () => {
    const bomb = decode(`[${'{},'.repeat(1_100_000)}{}]`);
    const tower = decode(`{"a":${'['.repeat(600_000)}${']'.repeat(600_000)}}`);

    assert.deepEqual([bomb.values, bomb.bad?.reason], [[], 'too many values']);
    assert.deepEqual([tower.values, tower.bad?.reason], [[], 'nested too deeply']);
  });

  it('takes a long line of text', () => {
    const text = 'z'.repeat(10 << 20);

    assert.deepEqual(decode(JSON.stringify({ text })).values, [{ text }]);
  });

  it('bounds the work on a line of many torn records', () => {
    const broken = decode('{"a{"'.repeat(200_000));
    const mixed = decode('{"a{"b":1}'.repeat(100_000));

    assert.deepEqual([broken.values, broken.bad?.reason], [[], 'not valid JSON']);
    assert.ok(mixed.values.length < 100);
    assert.equal(mixed.bad?.reason, 'not valid JSON');
  });

  it('finds any records that stand back to back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 5 }),
        (records) => {
          const line = records.map((record) => JSON.stringify(record)).join('');

          assert.deepEqual(
            decode(line).values,
            JSON.parse(`[${records.map((r) => JSON.stringify(r)).join(',')}]`),
          );
        },
      ),
    );
  });

  it('never throws and never loses a byte without a word', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const { records, bad } = decodeLine(Buffer.from(bytes), 1);

        const isBlank =
          Buffer.from(bytes)
            .toString()
            .replace(/^\ufeff/, '')
            .trim() === '';
        assert.ok(isBlank || records.length > 0 || bad !== undefined);
      }),
    );
  });
});
