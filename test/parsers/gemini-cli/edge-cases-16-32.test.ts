import assert from 'node:assert/strict';
import { geminiCli } from '../../../parsers/gemini-cli/index.ts';
import { draftId, parseLog } from '../support.ts';
import {
  answer,
  brief,
  call,
  contextFor,
  gemini,
  header,
  linesOf,
  messages,
  notice,
  one,
  only,
  rowsOf,
  SESSION_ID,
  said,
  sessionSpec,
  textOf,
  user,
} from './support.ts';

/** The table of edge cases in docs/formats/gemini-cli.md, by its numbers, second half. */
describe('parsers/gemini-cli/session', () => {
  it('16: a call that a policy blocks is a use, a result and one decision, however often the text recurs', () => {
    const text = 'Tool execution denied by policy. Pushing is not allowed.';
    const result = [answer('c1', 'run_shell_command', { error: text })];
    const blocked = call('c1', 'run_shell_command', { status: 'error', result, resultDisplay: text });
    const message = gemini('g1', 'Pushing.', { toolCalls: [blocked] });

    const rows = rowsOf([
      header(),
      message,
      user('r1', result),
      message,
      messages(message, user('r1', result)),
    ]);

    assert.deepEqual(said(rows), [
      'assistant: Pushing.',
      'tool_use: run_shell_command {"path":"src"}',
      `tool_result: [error] ${text}`,
      'permission.decision: permission decision: denied by policy',
    ]);
    const decision = one(rows, 'permission.decision');
    assert.deepEqual(decision.attributes, {
      status: 'error',
      decision: 'deny_rule',
      deny_message: 'Pushing is not allowed.',
    });
    assert.deepEqual([decision.tool_name, decision.tool_use_id], ['run_shell_command', 'c1']);
  });

  it('17: a command that fails is a successful call whose result tells the exit code', () => {
    const output = '<untrusted_context>\nOutput: oops\nExit Code: 3\n</untrusted_context>';
    const failed = call('c1', 'run_shell_command', {
      result: [answer('c1', 'run_shell_command', { output })],
    });

    const rows = rowsOf([header(), gemini('g1', '', { toolCalls: [failed] })]);

    assert.equal(one(rows, 'tool_result').text, output);
    assert.deepEqual(only(rows, 'permission.decision'), []);
  });

  it('18: a tool that a headless run does not have is an error, not a decision', () => {
    const error = 'Tool "run_shell_command" not found. Did you mean one of: "glob"?';
    const missing = call('c1', 'run_shell_command', {
      status: 'error',
      result: [answer('c1', 'run_shell_command', { error })],
    });

    const rows = rowsOf([header(), gemini('g1', '', { toolCalls: [missing] })]);

    assert.equal(one(rows, 'tool_result').text, `[error] ${error}`);
    assert.deepEqual(only(rows, 'permission.decision'), []);
  });

  it('19: U+2028 and CRLF inside a text do not end the record', () => {
    const text = 'before\u2028middle\u2029after\u0085end\r\nnext';

    const rows = rowsOf([header(), user('u1', text)]);

    assert.equal(one(rows, 'user').text, text);
    assert.deepEqual(only(rows, 'parser.error'), []);
  });

  it('20: a last line without line feed is a record when it is whole, and one parser row when it is cut', () => {
    const whole = Buffer.concat([linesOf([header()]), Buffer.from(textOf(user('u1', 'hi')))]);
    const cut = whole.subarray(0, -20);

    const read = parseLog(sessionSpec, whole, contextFor());
    const left = parseLog(sessionSpec, cut, contextFor());

    assert.equal(one(read, 'user').text, 'hi');
    assert.match(one(left, 'parser.error').text, /^parser: unparseable line \(cut off\): \{"id":"u1"/);
    assert.deepEqual(only(left, 'user'), []);
  });

  it('21: one call id in two messages is two calls', () => {
    const first = gemini('g1', '', { toolCalls: [call('read_file__call_0', 'read_file')] });
    const second = gemini('g2', '', { toolCalls: [call('read_file__call_0', 'read_file')] });

    const rows = rowsOf([header(), first, second]);

    assert.deepEqual(
      only(rows, 'tool_use').map(({ record }) => record),
      ['g1', 'g2'],
    );
    assert.deepEqual(
      only(rows, 'tool_result').map(({ record }) => record),
      ['g1', 'g2'],
    );
    assert.equal(new Set(rows.map((row) => draftId(geminiCli, row))).size, rows.length);
  });

  it('22: a prompt that mentions files is what was typed, in whichever form it comes again', () => {
    const parts = [
      { text: '@a.ts explain' },
      { text: '\n--- Content from referenced files ---' },
      { text: '\nContent from @a.ts:\n' },
      { text: 'const secret = 1;' },
    ];
    const typed = user('u1', parts, { displayContent: [{ text: '@a.ts explain' }] });

    const rows = rowsOf([header(), typed, messages(user('u1', parts)), user('u1', parts)]);
    const without = rowsOf([header(), user('u1', parts)]);

    assert.equal(one(rows, 'user').text, '@a.ts explain');
    assert.equal(one(without, 'user').text, '@a.ts explain');
  });

  it('23: inline data is its type and size, never the data', () => {
    const data = Buffer.alloc(123, 7).toString('base64');
    const parts = [{ text: 'what is this? ' }, { inlineData: { mimeType: 'image/png', data } }];
    const image = call('c1', 'read_file', {
      result: [
        answer('c1', 'read_file', { output: 'one item' }),
        { inlineData: { mimeType: 'image/png', data } },
      ],
    });

    const rows = rowsOf([header(), user('u1', parts), gemini('g1', '', { toolCalls: [image] })]);

    assert.equal(one(rows, 'user').text, 'what is this? [image/png, 123 bytes]');
    assert.equal(one(rows, 'tool_result').text, 'one item\n[image/png, 123 bytes]');
    assert.ok(!JSON.stringify(rows).includes(data));
  });

  it('24: what the terminal showed is not the result', () => {
    const shown = call('c1', 'run_shell_command', { resultDisplay: [[{ text: 'cells', bold: false }]] });

    const rows = rowsOf([header(), gemini('g1', '', { toolCalls: [shown] })]);

    assert.equal(one(rows, 'tool_result').text, 'done');
  });

  it('25: a notice without text is no row', () => {
    const rows = rowsOf([header(), notice('i1', 'info', ''), notice('i2', 'info', 'Request cancelled.')]);

    assert.deepEqual(said(rows), ['message.info: Request cancelled.']);
  });

  it('28: a file that was made anew and is read from its start gives the rows that are known', () => {
    const all = [header(), user('u1', 'one'), gemini('g1', 'First.'), user('u2', 'two')];

    const before = rowsOf(all);
    const anew = rowsOf([user('u2', 'two')]);

    const ids = new Set(before.map((row) => draftId(geminiCli, row)));
    assert.deepEqual(
      anew.map((row) => ids.has(draftId(geminiCli, row))),
      [true],
    );
  });

  it('29: a subagent session names its parent by its folder', () => {
    const path = `tmp/proj/chats/${SESSION_ID}/5e000001-1111-4000-8000-000000000009.jsonl`;

    const rows = rowsOf([user('u1', 'sub task'), gemini('g1', 'Done.')], { path });

    assert.deepEqual(
      new Set(rows.map(({ attributes }) => attributes?.['parent_session_id'])),
      new Set([SESSION_ID]),
    );
    assert.equal(one(rows, 'user').session_id, '5e000001-1111-4000-8000-000000000009');
    assert.equal(one(rows, 'user').project_path, '/home/alice/proj');
  });

  it('31: an unreadable line in the middle is one parser row and the rest is kept', () => {
    const rows = rowsOf([header(), user('u1', 'one'), '{"id":"g1","type":"gem', user('u2', 'two')]);

    assert.deepEqual(said(rows), [
      'user: one',
      'parser.error: parser: unparseable line (not valid JSON): {"id":"g1","type":"gem',
      'user: two',
    ]);
    assert.equal(one(rows, 'parser.error').source_line, 3);
  });

  it('32: a copy without model or tokens is no change of the model', () => {
    const message = gemini('g1', 'Hello.', { tokens: { input: 1 } });
    const bare = gemini('g1', [{ text: 'Hello.' }], { model: undefined, tokens: null });

    const rows = rowsOf([header(), message, messages(bare), gemini('g2', 'Bye.', { tokens: null })]);

    assert.deepEqual(rows.filter(({ event }) => event?.startsWith('model.')).map(brief), [
      'model.set: model: gemini-3-pro',
    ]);
  });
});
