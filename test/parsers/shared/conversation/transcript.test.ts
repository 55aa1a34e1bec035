import assert from 'node:assert/strict';
import { idsOf, said, state, tell, turn } from './support.ts';

const BEFORE = ['> one', 'answer 1', '> two', 'answer 2'];
const AFTER = ['> /clear', '> three', 'answer 3'];

function gaps(transcript: readonly string[], more: Readonly<Record<string, unknown>> = {}) {
  const { rows } = tell(state([turn(3, 'three')], { transcript, ...more }));
  return rows.filter(({ attributes }) => attributes?.['kind'] === 'transcript');
}

describe('parsers/shared/conversation/transcript', () => {
  it('says how many typed prompts the history lacks, at the time of its last answer', () => {
    const [row, ...more] = gaps([...BEFORE, ...AFTER]);

    assert.deepEqual(more, []);
    assert.deepEqual(
      [row?.event, row?.text, row?.attributes?.['missing_prompts'], row?.attributes?.['entries']],
      ['session.history_replaced', 'history shorter than transcript: 2 typed prompts are not in it', 2, 1],
    );
    assert.deepEqual([row?.timestamp_utc, row?.timestamp_source], ['2026-10-01T09:04:02.000Z', 'derived']);
  });

  it('gives no prompt: an answer may begin like one', () => {
    const { rows } = tell(state([turn(3, 'three')], { transcript: [...BEFORE, ...AFTER] }));

    assert.deepEqual(said(rows.filter(({ turn_type }) => turn_type !== 'system')), [
      'user: three',
      'assistant: answer 3',
    ]);
  });

  it('is silent when every prompt is kept, in the history, beside a side talk or by a checkpoint', () => {
    const [one, two] = [turn(1, 'one'), turn(2, 'two')];

    assert.deepEqual(gaps(['> three', 'answer 3', 'more of it', 'and more']), []);
    assert.deepEqual(gaps([...BEFORE, ...AFTER], { tangent_state: { main_history: [one, two] } }), []);
    const checkpoints = [{ tag: '1', history_snapshot: [one, two] }];
    assert.deepEqual(gaps([...BEFORE, ...AFTER], { checkpoint_manager: { checkpoints } }), []);
  });

  it('counts no command and no answer to a question, and a prompt of several lines once', () => {
    const { rows } = tell(
      state([turn(3, 'first line\nsecond line')], {
        transcript: [
          '> first line\n> second line',
          'answer 3',
          '> y',
          '> T',
          '> /model',
          '> !ls',
          '> @server',
        ],
      }),
    );

    assert.deepEqual(
      rows.filter(({ attributes }) => attributes?.['kind'] === 'transcript'),
      [],
    );
  });

  it('counts a prompt as often as it was typed more than it is kept', () => {
    const [row] = gaps(['> three', 'a', '> three', 'b', '> three', 'c']);

    assert.equal(row?.attributes?.['missing_prompts'], 2);
  });

  it('is the same row as long as the same prompts are missing, and another one when more are', () => {
    const same = gaps([...BEFORE, ...AFTER]);
    const later = gaps([...BEFORE, ...AFTER, '> /usage', '> /help']);
    const more = gaps([...BEFORE, '> lost too', 'answer', ...AFTER]);

    assert.equal(idsOf([...same, ...later]).size, 1);
    assert.equal(idsOf([...same, ...more]).size, 2);
  });
});
