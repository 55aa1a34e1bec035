import assert from 'node:assert/strict';
import { assistant, call, eventRow, parse, said, user } from './support.ts';

describe('parsers/qwen-code/assistant', () => {
  it('gives thoughts, the answer and calls, in this order', () => {
    const { rows } = parse([
      assistant(1, [
        { text: 'thinking', thought: true },
        { text: 'one ' },
        call('call_qwen_1', 'edit', { file_path: 'a' }),
        { text: 'two' },
      ]),
    ]);

    assert.deepEqual(said(rows), [
      'thinking: thinking',
      'assistant: one two',
      'tool_use: edit {"file_path":"a"}',
    ]);
    const use = rows.at(-1);
    assert.equal(use?.tool_name, 'edit');
    assert.equal(use.tool_use_id, 'call_qwen_1');
  });

  it('gives no answer where the model only calls', () => {
    const { rows } = parse([assistant(1, [call('call_qwen_1')])]);

    assert.deepEqual(said(rows), ['tool_use: run_shell_command {"command":"ls"}']);
  });

  it('puts the token counts on the first row of a record', () => {
    const usageMetadata = {
      promptTokenCount: 9,
      candidatesTokenCount: 2,
      thoughtsTokenCount: 1,
      totalTokenCount: 12,
    };

    const { rows } = parse([
      assistant(1, [{ text: 'hm', thought: true }, { text: 'yes' }], { usageMetadata }),
    ]);

    const [thought, answer] = rows.filter(({ turn_type }) => turn_type !== 'system');
    assert.equal(thought?.attributes?.['tokens_input'], 9);
    assert.equal(thought.attributes['tokens_total'], 12);
    assert.equal(answer?.attributes?.['tokens_total'], undefined);
  });

  it('tells the first model and each change', () => {
    const { rows } = parse([
      assistant(1, 'a', { model: 'plus' }),
      assistant(2, 'b', { model: 'plus' }),
      assistant(3, 'c', { model: 'flash' }),
    ]);

    assert.equal(eventRow(rows, 'model.set').text, 'model: plus');
    const change = eventRow(rows, 'model.change');
    assert.equal(change.text, 'model: plus -> flash');
    assert.equal(change.timestamp_utc, '2026-10-01T09:00:03.000Z');
    assert.deepEqual(
      rows.filter(({ turn_type }) => turn_type === 'assistant').map(({ model }) => model),
      ['plus', 'plus', 'flash'],
    );
  });

  it('makes up an id for a call without one', () => {
    const { rows } = parse([user(1, 'go'), assistant(2, [{ functionCall: { name: 'edit', args: {} } }])]);

    assert.equal(rows.at(-1)?.tool_use_id, 'edit_0');
  });
});
