import assert from 'node:assert/strict';
import {
  answer,
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

describe('parsers/gemini-cli/tools', () => {
  it('shows the display name and the arguments, and fills the columns of a call', () => {
    const made = call('read_file__read_file_1796068095295_0', 'read_file', {
      displayName: 'ReadFile',
      agentId: 'agent-7',
    });

    const rows = rowsOf([header(), gemini('g1', '', { toolCalls: [made] })]);

    const use = one(rows, 'tool_use');
    assert.equal(use.text, 'ReadFile {"path":"src"}');
    assert.deepEqual(
      [use.model, use.tool_name, use.tool_use_id, use.timestamp_utc],
      ['gemini-3-pro', 'read_file', 'read_file__read_file_1796068095295_0', at('09:00:08')],
    );
    assert.deepEqual(use.attributes, { requested_at: '2026-11-30T19:48:15.295Z', agent_id: 'agent-7' });
    assert.deepEqual(one(rows, 'tool_result').attributes, { status: 'success', agent_id: 'agent-7' });
  });

  it('follows a call from the request to its result', () => {
    const message = (more: object) =>
      gemini('g1', 'Testing.', { toolCalls: [call('c1', 'shell', more as never)] });

    const rows = rowsOf([
      header(),
      gemini('g1', 'Testing.'),
      message({ status: 'scheduled', result: null }),
      message({ status: 'awaiting_approval', result: null }),
      message({ status: 'executing', result: [] }),
      message({}),
      message({}),
    ]);

    assert.deepEqual(said(rows), [
      'assistant: Testing.',
      'tool_use: shell {"path":"src"}',
      'permission.decision: permission decision: awaiting_approval',
      'tool_result: done',
    ]);
    assert.deepEqual(one(rows, 'permission.decision').attributes, {
      status: 'awaiting_approval',
      decision: 'awaiting_approval',
    });
  });

  it('tells an interruption from a refusal', () => {
    const error = '[Operation Cancelled] Reason: Operation cancelled by user';
    const interrupted = call('c1', 'shell', {
      status: 'cancelled',
      result: [answer('c1', 'shell', { error })],
    });

    const rows = rowsOf([header(), gemini('g1', '', { toolCalls: [interrupted] })]);

    assert.equal(one(rows, 'tool_result').text, `[cancelled] ${error}`);
    assert.deepEqual(one(rows, 'permission.decision').attributes, {
      status: 'cancelled',
      decision: 'cancelled',
    });
  });

  it('decides after the use when a refused call has no result', () => {
    const refused = call('c1', 'shell', { status: 'cancelled', result: null });

    const rows = rowsOf([header(), gemini('g1', '', { toolCalls: [refused] })]);

    assert.deepEqual(said(rows), [
      'tool_use: shell {"path":"src"}',
      'permission.decision: permission decision: cancelled',
    ]);
  });

  it('sees a block that names the tool, and one whose result comes as a message', () => {
    const named = 'Tool execution for "Enter Plan Mode" denied by policy.';
    const first = call('c1', 'plan', { status: 'error', result: [answer('c1', 'plan', { error: named })] });
    const second = call('c2', 'shell', { status: 'executing', result: null });
    const late = user('r', [answer('c2', 'shell', { error: 'Tool execution denied by policy. No.' })]);

    const rows = rowsOf([header(), gemini('g1', '', { toolCalls: [first, second] }), late]);

    assert.deepEqual(
      only(rows, 'permission.decision').map(({ attributes, tool_use_id }) => [tool_use_id, attributes]),
      [
        ['c1', { status: 'error', decision: 'deny_rule' }],
        ['c2', { status: 'error', decision: 'deny_rule', deny_message: 'No.' }],
      ],
    );
  });

  it('does not take a tool that prints the words of a block for one', () => {
    const output = 'Tool execution denied by policy. Printed by a script.';
    const printed = call('c1', 'shell', { result: [answer('c1', 'shell', { output })] });

    const rows = rowsOf([header(), gemini('g1', '', { toolCalls: [printed] })]);

    assert.deepEqual(only(rows, 'permission.decision'), []);
  });

  it('takes the own result out of the results of the whole turn', () => {
    const turn = [answer('c1', 'a', { output: 'first' }), answer('c2', 'b', { output: 'second' })];

    const rows = rowsOf([
      header(),
      gemini('g1', '', { toolCalls: [call('c1', 'a', { result: turn }), call('c2', 'b', { result: turn })] }),
    ]);

    assert.deepEqual(
      only(rows, 'tool_result').map(({ text }) => text),
      ['first', 'second'],
    );
  });

  it('reads results of other forms', () => {
    const results: readonly (readonly [result: unknown, text: string])[] = [
      ['plain text', 'plain text'],
      [[{ text: 'a part' }], 'a part'],
      [answer('c', 't', { content: [1, 2] }), '{"content":[1,2]}'],
      [[answer('c', 't', 'bare')], 'bare'],
      [
        [
          {
            functionResponse: {
              id: 'c',
              name: 't',
              response: { output: 'x' },
              parts: [{ inlineData: { mimeType: 'image/gif', data: 'AAAA' } }],
            },
          },
        ],
        'x\n[image/gif, 3 bytes]',
      ],
      [[{ fileData: { mimeType: 'text/csv', fileUri: 'file:///a.csv' } }], '[text/csv, file:///a.csv]'],
      [[], ''],
    ];

    for (const [result, text] of results) {
      const rows = rowsOf([header(), gemini('g1', '', { toolCalls: [call('c', 't', { result })] })]);

      assert.equal(one(rows, 'tool_result').text, text);
    }
  });

  it('makes an id for a call that has none', () => {
    const bare = { name: 'glob', args: {}, status: 'success', result: 'found' };

    const rows = rowsOf([header(), gemini('g1', '', { toolCalls: [bare, bare] })]);

    assert.deepEqual(
      only(rows, 'tool_use').map(({ tool_use_id }) => tool_use_id),
      ['glob_0', 'glob_1'],
    );
    assert.deepEqual(
      only(rows, 'tool_use').map(({ timestamp_source }) => timestamp_source),
      ['derived', 'derived'],
    );
  });

  it('keeps the first result when a rewrite masks it', () => {
    const message = (output: string) =>
      gemini('g1', '', { toolCalls: [call('c1', 'shell', { result: [answer('c1', 'shell', { output })] })] });

    const rows = rowsOf([header(), message('the output'), messages(message('[output masked]'))]);

    assert.deepEqual(only(rows, 'tool_result').map(brief), ['tool_result: the output']);
  });
});
