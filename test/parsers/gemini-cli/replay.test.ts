import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Recorder } from './recorder.ts';
import { rowsOf } from './support.ts';

const WORDS = ['continue', 'yes', 'look again', 'continue with the tests'];
const word = fc.constantFrom(...WORDS);

type Step = (recorder: Recorder) => void;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: word.map(
      (text): Step =>
        (recorder) =>
          recorder.prompt(text),
    ),
  },
  {
    weight: 4,
    arbitrary: word.map(
      (text): Step =>
        (recorder) =>
          recorder.answer(text),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom('', 'Running.').map(
      (text): Step =>
        (recorder) =>
          recorder.tool(text),
    ),
  },
  {
    weight: 1,
    arbitrary: word.map(
      (text): Step =>
        (recorder) =>
          recorder.fail(text),
    ),
  },
  {
    weight: 1,
    arbitrary: word.map(
      (text): Step =>
        (recorder) =>
          recorder.refuse(text),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Step>((recorder) => recorder.resume()) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('Summary A', 'Summary B').map(
      (text): Step =>
        (recorder) =>
          recorder.compress(text),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 3 }).map(
      (back): Step =>
        (recorder) =>
          recorder.rewind(back),
    ),
  },
);

describe('parsers/gemini-cli/session', () => {
  it('gives what happened, each once and in order, however often the program rewrites it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const recorder = new Recorder();
        recorder.prompt('begin');
        for (const run of steps) run(recorder);

        const rows = rowsOf(recorder.records);

        const of = (turn: string) => rows.filter(({ turn_type }) => turn_type === turn);
        assert.deepEqual(
          {
            user: of('user').map(({ text }) => text),
            assistant: of('assistant').map(({ text }) => text),
            tool_use: of('tool_use').map((row) => row.tool_use_id),
            tool_result: of('tool_result').map((row) => row.tool_use_id),
          },
          recorder.truth,
        );
      }),
      { numRuns: 1500 },
    );
  });
});
