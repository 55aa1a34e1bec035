import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { LineFramer, type OversizeLine } from '../../../agent/capture/line-framer.ts';

const MAX = 16;

describe('agent/capture/line-framer', () => {
  it('gives the same lines however the bytes are split', () => {
    fc.assert(
      fc.property(bytesWithLines(), fc.array(fc.nat(40), { maxLength: 30 }), (bytes, cuts) => {
        const whole = frame([bytes]);
        const split = frame(splitAt(bytes, cuts));

        assert.deepEqual(split, whole);
        assert.deepEqual(whole.seen, expected(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it('cuts at the line feed only: carriage returns, NUL and U+2028 stay in the line', () => {
    const { seen } = frame([Buffer.from('a\r\n\0b\u2028c\n\n')]);

    assert.deepEqual(
      seen.map((entry) => ('bytes' in entry ? entry.bytes : entry.text)),
      ['a\r', '\0b\u2028c', ''],
    );
  });

  it('keeps a line of exactly the limit and passes over one of a byte more, with its hash', () => {
    const [just, over] = ['x'.repeat(MAX), 'y'.repeat(MAX + 1)];

    const { seen } = frame([Buffer.from(`${just}\n${over}\nz\n`)]);

    assert.deepEqual(seen, [
      { line: 1, text: just },
      { line: 2, bytes: MAX + 1, sha256: sha256(Buffer.from(over)) },
      { line: 3, text: 'z' },
    ]);
  });

  it('holds no more than the limit of an endless line', () => {
    const framer = new LineFramer({ line: 0, offset: 0 }, MAX, { onLine() {}, onOversize() {} });

    for (let n = 0; n < 100; n++) framer.push(Buffer.alloc(10, 'x'));

    assert.equal(framer.rest, undefined);
    assert.equal(framer.restBytes, 1_000);
    assert.equal(framer.position, 1_000);
  });

  it('forgets the unfinished line on demand, and goes on counting from where it stood', () => {
    const lines: string[] = [];
    const framer = new LineFramer({ line: 7, offset: 100 }, MAX, {
      onLine: (bytes, line) => lines.push(`${line} ${bytes}`),
      onOversize() {},
    });

    framer.push(Buffer.from('one\nha'));
    framer.dropRest();
    const again = framer.position;
    framer.push(Buffer.from('half\n'));

    assert.equal(again, 104);
    assert.deepEqual(lines, ['8 one', '9 half']);
    assert.equal(framer.offset, 109);
  });

  it('keeps what a caller does with its buffer afterwards out of the next line', () => {
    const lines: string[] = [];
    const chunk = Buffer.from('abc');
    const framer = new LineFramer({ line: 0, offset: 0 }, MAX, {
      onLine: (bytes) => lines.push(bytes.toString()),
      onOversize() {},
    });

    framer.push(chunk);
    chunk.fill('z');
    framer.push(Buffer.from('d\n'));

    assert.deepEqual(lines, ['abcd']);
  });
});

type Seen = { readonly line: number; readonly text: string } | OversizeLine;

function frame(chunks: readonly Buffer[]) {
  const seen: Seen[] = [];
  const framer = new LineFramer({ line: 0, offset: 0 }, MAX, {
    onLine: (bytes, line) => seen.push({ line, text: text(bytes) }),
    onOversize: (line) => seen.push(line),
  });
  for (const chunk of chunks) framer.push(chunk);
  return { seen, offset: framer.offset, rest: framer.restBytes, position: framer.position };
}

/** What framing must give, said the simple way. */
function expected(bytes: Buffer): Seen[] {
  const lines = bytes.toString('latin1').split('\n').slice(0, -1);
  return lines.map((line, index) => {
    const raw = Buffer.from(line, 'latin1');
    if (raw.length <= MAX) return { line: index + 1, text: text(raw) };
    return { line: index + 1, bytes: raw.length, sha256: sha256(raw) };
  });
}

function text(bytes: Buffer): string {
  return bytes.toString('utf8');
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Any bytes, with line feeds much more often than chance would give. */
function bytesWithLines() {
  const byte = fc.oneof({ weight: 5, arbitrary: fc.nat(255) }, { weight: 1, arbitrary: fc.constant(10) });
  return fc.array(byte, { maxLength: 200 }).map((values) => Buffer.from(values));
}

function splitAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let start = 0;
  for (const cut of cuts) {
    chunks.push(bytes.subarray(start, start + cut));
    start += cut;
  }
  return [...chunks, bytes.subarray(start)];
}
