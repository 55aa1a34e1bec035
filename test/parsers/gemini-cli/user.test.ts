import assert from 'node:assert/strict';
import {
  answer,
  at,
  CONTEXT_TEXT,
  context,
  gemini,
  header,
  messages,
  one,
  only,
  rowsOf,
  said,
  user,
} from './support.ts';

describe('parsers/gemini-cli/user', () => {
  it('joins the parts of a prompt without separator', () => {
    const rows = rowsOf([header(), user('u1', [{ text: 'one ' }, { text: 'two' }])]);

    assert.equal(one(rows, 'user').text, 'one two');
  });

  it('reads content that is a string, a single part or a list with strings in it', () => {
    const rows = rowsOf([
      header(),
      { ...user('u1', ''), content: 'a string' },
      { ...user('u2', ''), content: { text: 'a part' } },
      { ...user('u3', ''), content: ['a ', { text: 'list' }] },
    ]);

    assert.deepEqual(
      only(rows, 'user').map(({ text }) => text),
      ['a string', 'a part', 'a list'],
    );
  });

  it('tells shell mode apart', () => {
    const text =
      'I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n```\na\n```';

    const rows = rowsOf([header(), user('u1', text)]);

    assert.deepEqual(one(rows, 'user').attributes, { input: 'shell' });
  });

  it('makes system rows of what the program wrote in the name of the user', () => {
    const rows = rowsOf([
      header(),
      user('a', '- **Workspace Directories:**\n  - /home/alice/proj'),
      user('b', [{ text: 'my prompt' }, { text: '<hook_context>extra</hook_context>' }]),
      user('c', "Here is the user's editor context as a JSON object. This is for your information only."),
      user('d', 'System: Please continue.'),
    ]);

    assert.deepEqual(
      said(rows).map((line) => line.split('\n')[0]),
      [
        'session.directories: - **Workspace Directories:**',
        'session.hook_context: <hook_context>extra</hook_context>',
        'user: my prompt',
        "session.editor_context: Here is the user's editor context as a JSON object. This is for your information only.",
        'session.steered: System: Please continue.',
      ],
    );
  });

  it('says each text of the context once, whatever id or time it comes with', () => {
    const other = user('ctx', `${CONTEXT_TEXT}\nmore`, { timestamp: at('10:00:00') });

    const rows = rowsOf([
      header(),
      messages(context('ctx')),
      messages({ ...context('ctx'), timestamp: at('10:00:00') }),
      messages(context('c2')),
      messages(other),
    ]);

    assert.deepEqual(
      only(rows, 'session.context').map(({ timestamp_utc }) => timestamp_utc),
      [at('09:00:01'), at('10:00:00')],
    );
  });

  it('gives another text under a known id as a revision', () => {
    const rows = rowsOf([
      header(),
      user('u1', 'first try'),
      user('u1', 'second try'),
      user('u1', 'first try'),
    ]);

    assert.deepEqual(
      only(rows, 'user').map(({ text, attributes }) => [text, attributes]),
      [
        ['first try', {}],
        ['second try', { revision: true }],
      ],
    );
  });

  it('does not pass a text that the program put in place of a prompt for a prompt', () => {
    const rows = rowsOf([header(), user('u1', 'my words'), messages(user('u1', '[redacted]'))]);

    assert.deepEqual(said(rows), ['user: my words', 'session.patched: message u1 rewritten: [redacted]']);
  });

  it('ends a run of repeats at the first message that repeats nothing', () => {
    const rows = rowsOf([
      header(),
      user('u1', 'one'),
      gemini('g1', 'First.'),
      user('n1', [{ text: CONTEXT_TEXT }, { text: 'one' }]),
      user('n2', 'one more'),
      user('n3', 'one'),
    ]);

    assert.deepEqual(
      only(rows, 'user').map(({ record, text }) => [record, text]),
      [
        ['u1', 'one'],
        ['n2', 'one more'],
        ['n3', 'one'],
      ],
    );
  });

  it('ends a run of repeats when a message comes much later than its first one', () => {
    const rows = rowsOf([
      header(),
      user('u1', 'one'),
      user('u2', 'continue'),
      user('n1', [{ text: CONTEXT_TEXT }, { text: 'one' }], { timestamp: at('09:05:00') }),
      user('n2', 'continue', { timestamp: at('09:06:00') }),
    ]);

    assert.deepEqual(
      only(rows, 'user').map(({ record }) => record),
      ['u1', 'u2', 'n2'],
    );
  });

  it('keeps a result whose call was never recorded', () => {
    const rows = rowsOf([header(), user('u1', [answer('lost', 'glob', { error: 'no such folder' })])]);

    const row = one(rows, 'tool_result');
    assert.deepEqual([row.tool_name, row.tool_use_id, row.text], ['glob', 'lost', '[error] no such folder']);
  });
});
