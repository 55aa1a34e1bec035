import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { batchIdOf, subBatch } from '../../../agent/contract/batch.ts';
import { batchOf, rowsOf, textsOf } from '../../support/batches.ts';

describe('agent/contract/batch', () => {
  it('makes the id of a batch from its row ids in their order', () => {
    const digest = createHash('sha256').update('hf1_a\nhf1_b').digest('hex');

    assert.equal(batchIdOf(['hf1_a', 'hf1_b']), digest.slice(0, 32));
    assert.notEqual(batchIdOf(['hf1_b', 'hf1_a']), digest.slice(0, 32));
  });

  it('takes exactly the rows that are asked for', () => {
    const batch = batchOf(rowsOf(20, 101));
    fc.assert(
      fc.property(fc.subarray([...Array(20).keys()], { minLength: 1 }), (indices) => {
        const part = subBatch(batch, indices);

        assert.deepEqual(
          textsOf(part.ndjson),
          indices.map((index) => `row ${101 + index}`),
        );
        assert.equal(part.rows, indices.length);
        assert.equal(part.firstSeq, 101 + (indices.at(0) ?? 0));
        assert.equal(part.lastSeq, 101 + (indices.at(-1) ?? 0));
        assert.equal(part.id, batchIdOf(part.rowIds));
      }),
    );
  });

  it('gives the whole batch the same bytes and id', () => {
    const batch = batchOf(rowsOf(3));

    const whole = subBatch(batch, [0, 1, 2]);

    assert.equal(whole.id, batch.id);
    assert.ok(whole.ndjson.equals(batch.ndjson));
  });

  it('refuses a row that the batch does not have', () => {
    assert.throws(() => subBatch(batchOf(rowsOf(2)), [2]), RangeError);
  });
});
