import assert from 'node:assert/strict';
import {
  asked,
  at,
  brief,
  call,
  gemini,
  header,
  messages,
  one,
  only,
  rowsOf,
  said,
  user,
} from './support.ts';

const TOKENS = { input: 10, output: 3, cached: 0, thoughts: 1, tool: 0, total: 14 };

describe('parsers/gemini-cli/gemini', () => {
  it('names the model before its first message and at each change', () => {
    const rows = rowsOf([
      header(),
      gemini('g1', 'One.', { model: 'gemini-3-pro' }),
      gemini('g2', 'Two.', { model: 'gemini-3-pro' }),
      gemini('g3', 'Three.', { model: 'gemini-3-flash' }),
    ]);

    assert.deepEqual(rows.slice(1).map(brief), [
      'model.set: model: gemini-3-pro',
      'assistant: One.',
      'assistant: Two.',
      'model.change: model: gemini-3-pro -> gemini-3-flash',
      'assistant: Three.',
    ]);
    const change = one(rows, 'model.change');
    assert.equal(change.model, 'gemini-3-flash');
    assert.deepEqual(change.attributes, { model: 'gemini-3-flash', old_model: 'gemini-3-pro' });
    assert.equal(change.record, 'g3');
  });

  it('puts the token counts on the first row that the message gives once they are there', () => {
    const rows = rowsOf([
      header(),
      gemini('g1', 'Reading.', { tokens: null }),
      gemini('g1', 'Reading.', { tokens: TOKENS }),
      gemini('g1', 'Reading.', { tokens: TOKENS, toolCalls: [call('c1', 'read_file')] }),
    ]);

    const counts = {
      tokens_input: 10,
      tokens_output: 3,
      tokens_cached: 0,
      tokens_thoughts: 1,
      tokens_tool: 0,
      tokens_total: 14,
    };
    assert.deepEqual(one(rows, 'assistant').attributes, {});
    assert.deepEqual(one(rows, 'tool_use').attributes, counts);
    assert.deepEqual(one(rows, 'tool_result').attributes, { status: 'success' });
  });

  it('takes only thoughts that came since', () => {
    const plan = { subject: 'Plan', description: 'Look.', timestamp: at('09:00:05') };
    const check = { description: 'All fine.' };

    const rows = rowsOf([
      header(),
      gemini('g1', 'Hm.', { thoughts: [plan] }),
      gemini('g1', 'Hm.', { thoughts: [plan, check] }),
    ]);

    assert.deepEqual(
      only(rows, 'thinking').map(({ part, text, timestamp_source }) => [part, text, timestamp_source]),
      [
        ['thought:0', 'Plan\nLook.', 'record'],
        ['thought:1', 'All fine.', 'derived'],
      ],
    );
  });

  it('reads thoughts that stand in the content, in the words of the first record', () => {
    const parts = [{ text: '**Plan** Look.', thought: true }, { text: 'Done.' }];

    const rows = rowsOf([header(), messages(gemini('g1', parts))]);

    assert.deepEqual(said(rows), ['thinking: Plan\nLook.', 'assistant: Done.']);
  });

  it('gives an answer that grew under its id as a revision', () => {
    const rows = rowsOf([header(), gemini('g1', 'Part'), gemini('g1', 'Part and rest')]);

    assert.deepEqual(
      only(rows, 'assistant').map(({ text, attributes }) => [text, attributes]),
      [
        ['Part', {}],
        ['Part and rest', { revision: true }],
      ],
    );
  });

  it('knows a message of thoughts alone again', () => {
    const thoughts = [{ subject: 'Plan', description: 'Look.' }];
    const history = [header(), user('u1', 'go'), gemini('g1', '', { thoughts })];
    const copy = [user('n1', 'go'), gemini('n2', [{ text: '**Plan** Look.', thought: true }])];

    const rows = rowsOf([...history, messages(...copy)]);

    assert.deepEqual(rows, rowsOf(history));
  });

  it('finds a rewritten message by its call when its text changed', () => {
    const history = [header(), gemini('g1', 'Reading it.', { toolCalls: [call('c1', 'read_file')] })];
    const copy = gemini('n1', [{ text: 'Reading' }, asked('c1', 'read_file')]);

    const rows = rowsOf([...history, messages(copy)]);

    assert.deepEqual(only(rows, 'assistant').map(brief), ['assistant: Reading it.']);
    assert.equal(one(rows, 'session.patched').text, 'message g1 rewritten: Reading');
    assert.equal(only(rows, 'tool_use').length, 1);
  });
});
