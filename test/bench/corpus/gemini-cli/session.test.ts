import assert from 'node:assert/strict';
import { session, turn } from '../../../../bench/corpus/gemini-cli/session.ts';
import { createRng } from '../../../../bench/corpus/rng.ts';

describe('bench/corpus/gemini-cli/session', () => {
  for (const bytes of [5_000, 50_000, 1_000_000]) {
    it(`makes a session of at least ${bytes} bytes`, () => {
      const { content, counts } = session(createRng('size'), bytes);

      const lines = content.toString('utf8').split('\n').slice(0, -1);
      assert.ok(content.length >= bytes && content.length < bytes + 500_000, String(content.length));
      assert.equal(lines.length, counts.lines);
      assert.ok(counts.prompts > 0);
    });
  }

  it('makes the same turn for the same choices, and another one at another time', () => {
    const turns = [1, 1, 2].map((at) => turn(createRng('turn'), 500, at).toString('utf8'));

    assert.equal(turns[0], turns[1]);
    assert.notEqual(turns[0], turns[2]);
  });

  it('writes the message of a turn twice, the second time with its call', () => {
    const records = turn(createRng('turn'), 500, 1)
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

    const [first, , second] = records;
    const { toolCalls, ...rest } = second;
    assert.deepEqual(rest, first);
    assert.equal(toolCalls.length, 1);
    assert.equal(toolCalls[0].result[0].functionResponse.response.output.length, 500);
  });
});
