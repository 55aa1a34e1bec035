import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type CommitHeader, decodeCommit, encodeCommit } from '../../../agent/capture/protocol.ts';
import { type FileContext, RowWriter } from '../../../agent/capture/row-writer.ts';
import { type Commit, EMPTY_ROWS } from '../../../agent/contract/commit.ts';
import { LANES, TURN_TYPES } from '../../../agent/contract/row.ts';

const FILE: FileContext = {
  agent: 'gemini-cli',
  sourceFile: 'f',
  role: 'primary',
  backfill: false,
  user: null,
};
const CURSOR = { offset: 7, line: 1, session: null } as unknown as Commit['cursor'];

describe('agent/capture/protocol', () => {
  it('takes apart what it put together, whatever the rows', () => {
    fc.assert(
      fc.property(commits(), (commit) => {
        const { header, payload } = encodeCommit(3, commit);

        const back = decodeCommit(overTheWire(header), payload);

        assert.deepEqual(back, commit);
      }),
    );
  });

  it('keeps "forget the cursor" apart from "leave it as it was"', () => {
    for (const cursor of [null, undefined, CURSOR]) {
      const { header, payload } = encodeCommit(1, { lane: 'live', file: 'f', cursor, rows: EMPTY_ROWS });
      assert.deepEqual(decodeCommit(overTheWire(header), payload).cursor, cursor);
    }
  });

  it('keeps apart what is ahead of its record', () => {
    for (const isAhead of [true, undefined]) {
      const commit = {
        lane: 'live',
        file: 'f',
        cursor: null,
        rows: EMPTY_ROWS,
        ...(isAhead && { isAhead }),
      } as const;
      const { header, payload } = encodeCommit(1, commit);

      assert.deepEqual(decodeCommit(overTheWire(header), payload), commit);
    }
  });

  it('takes no frame with bytes missing or too many', () => {
    const { header, payload } = encodeCommit(1, twoRows());

    for (let length = 0; length < payload.length; length++)
      assert.throws(() => decodeCommit(header, payload.subarray(0, length)), /does not add up/);
    assert.throws(() => decodeCommit(header, Buffer.concat([payload, Buffer.from('x')])), /does not add up/);
    assert.throws(() => decodeCommit(header, Buffer.concat([payload, Buffer.from('{}\n')])));
  });

  for (const [what, change] of [
    ['a count that is no number', { count: '2' }],
    ['a negative count', { count: -1 }],
    ['a count beyond the rows', { count: 3 }],
    ['a count that overflows', { count: Number.MAX_SAFE_INTEGER }],
    ['a lane that there is not', { lane: 'fast' }],
    ['a file that is no name', { file: 7 }],
    ['a cursor that is none', { cursor: 'x' }],
    ['no sessions', { sessions: undefined }],
    ['fewer sessions than rows name', { sessions: [] }],
    ['a session without a name', { sessions: [{ agent: 'a', session: null }] }],
    ['a session that is no object', { sessions: [null] }],
    [
      'a session with facts the store cannot hold',
      { sessions: [{ agent: 'a', session: 's', project: {}, user: null, first: null, last: null }] },
    ],
  ] as const) {
    it(`refuses ${what}`, () => {
      const { header, payload } = encodeCommit(1, twoRows());

      assert.throws(() => decodeCommit({ ...header, ...change } as unknown as CommitHeader, payload));
    });
  }

  it('refuses lines that are not one object each, and turns that there are not', () => {
    const { header, payload } = encodeCommit(1, twoRows());
    const linesAt = 2 * (16 + 2 + 1);
    const broken = [
      Buffer.concat([payload.subarray(0, linesAt), Buffer.from('{}\n[]\n')]),
      Buffer.concat([payload.subarray(0, linesAt), Buffer.from('{}\n\n')]),
      Buffer.concat([payload.subarray(0, linesAt), Buffer.from('{}\n{}')]),
      Buffer.concat([payload.subarray(0, linesAt - 1), Buffer.from([99]), payload.subarray(linesAt)]),
    ];

    for (const bytes of broken) assert.throws(() => decodeCommit(header, bytes), /does not add up/);
  });
});

function overTheWire(header: CommitHeader): CommitHeader {
  return JSON.parse(JSON.stringify(header)) as CommitHeader;
}

function twoRows(): Commit {
  return commitOf({ lane: 'live', texts: ['one', 'two'], cursor: CURSOR });
}

function commitOf({
  lane,
  texts,
  cursor,
}: Pick<Commit, 'lane' | 'cursor'> & { texts: readonly string[] }): Commit {
  const writer = new RowWriter({ id: 'h', name: 'h', labels: {}, maxTextBytes: 100 });
  for (const [index, text] of texts.entries()) {
    const turn = TURN_TYPES[index % TURN_TYPES.length] ?? 'user';
    writer.add(
      { record: text, part: 'p', turn_type: turn, text, session_id: index % 3 === 2 ? null : text },
      FILE,
      'now',
    );
  }
  return { lane, file: 'f', cursor, rows: writer.take() };
}

function commits() {
  return fc
    .record({
      lane: fc.constantFrom(...LANES),
      texts: fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 20 }),
      cursor: fc.constantFrom(null, undefined, CURSOR),
    })
    .map(commitOf);
}
