import assert from 'node:assert/strict';
import {
  asked,
  at,
  call,
  context,
  gemini,
  header,
  messages,
  notice,
  one,
  only,
  rowsOf,
  said,
  user,
} from './support.ts';

describe('parsers/gemini-cli/history', () => {
  it('gives rows for messages that come only in a batch', () => {
    const rows = rowsOf([
      header(),
      messages(context('ctx'), user('u1', 'first prompt'), notice('i1', 'info', 'hello')),
      gemini('g1', 'first answer'),
    ]);

    assert.deepEqual(said(rows), ['user: first prompt', 'message.info: hello', 'assistant: first answer']);
    assert.deepEqual(
      only(rows, 'user').map(({ source_line }) => source_line),
      [2],
    );
  });

  it('says when the conversation comes back', () => {
    const history = [user('u1', 'one'), gemini('g1', 'First.')];

    const rows = rowsOf([
      header(),
      ...history,
      messages(context('ctx')),
      messages(context('ctx'), ...history),
    ]);

    assert.deepEqual(
      only(rows, 'session.history_replaced').map(({ text, attributes }) => [text, attributes]),
      [
        ['history replaced: 2 removed, 0 kept', { removed: 2, kept: 0 }],
        ['history replaced: 0 removed, 2 kept, 2 of them restored', { removed: 0, kept: 2, restored: 2 }],
      ],
    );
  });

  it('takes user messages that a rewrite joined into one apart again', () => {
    const shell = 'I ran the following shell command:\n```sh\nls\n```';
    const history = [user('u1', shell), user('u2', 'go on'), gemini('g1', 'Done.')];
    const joined = user('n1', [{ text: shell }, { text: 'go on' }]);

    const rows = rowsOf([
      header(),
      ...history,
      messages(context('ctx'), joined, gemini('n2', 'Done.')),
      messages(context('ctx'), joined, gemini('n2', 'Done.')),
    ]);

    assert.deepEqual(said(only(rows, 'user')), [`user: ${shell}`, 'user: go on']);
    assert.deepEqual(only(rows, 'session.history_replaced'), []);
  });

  it('gives of a joined message only what is new in it', () => {
    const joined = user('n1', [{ text: 'one' }, { text: 'two' }]);

    const rows = rowsOf([
      header(),
      user('u1', 'one'),
      gemini('g1', 'First.'),
      messages(context('ctx'), joined),
      messages(context('ctx'), joined),
    ]);

    assert.deepEqual(said(only(rows, 'user')), ['user: one', 'user: two']);
    assert.equal(only(rows, 'session.history_replaced').length, 1);
  });

  it('matches equal messages under new ids one by one, in order', () => {
    const history = [
      user('u1', 'continue'),
      gemini('g1', 'More.'),
      user('u2', 'continue'),
      gemini('g2', 'More.'),
    ];
    const copy = [
      user('n1', 'continue'),
      gemini('n2', 'More.'),
      user('n3', 'continue'),
      gemini('n4', 'More.'),
    ];

    const rows = rowsOf([header(), ...history, messages(...copy, user('n5', 'continue'))]);

    assert.deepEqual(
      only(rows, 'user').map(({ record }) => record),
      ['u1', 'u2', 'n5'],
    );
    assert.deepEqual(
      only(rows, 'assistant').map(({ record }) => record),
      ['g1', 'g2'],
    );
  });

  it('takes a message that repeats only what the copy has passed already for news', () => {
    const history = [user('u1', 'yes'), user('u2', 'go')];

    const rows = rowsOf([header(), ...history, messages(user('n1', 'go'), user('n2', 'yes'))]);

    assert.deepEqual(
      only(rows, 'user').map(({ record }) => record),
      ['u1', 'u2', 'n2'],
    );
  });

  it('lets a message that left the conversation be repeated once by each copy', () => {
    const rows = rowsOf([
      header(),
      user('u1', 'yes'),
      messages(context('ctx')),
      messages(user('n1', 'yes'), user('n2', 'yes')),
    ]);

    assert.deepEqual(
      only(rows, 'user').map(({ record }) => record),
      ['u1', 'n2'],
    );
  });

  it('does not count a message as removed whose calls another one carries', () => {
    const history = [
      user('u1', 'sleep'),
      gemini('g1', 'Sleeping.'),
      notice('i1', 'info', 'Request cancelled.'),
      gemini('g2', '', { toolCalls: [call('c1', 'shell')] }),
    ];
    const merged = gemini('g1', [{ text: 'Sleeping.' }, asked('c1', 'shell')]);

    const rows = rowsOf([header(), ...history, messages(user('u1', 'sleep'), merged)]);

    assert.deepEqual(only(rows, 'session.history_replaced'), []);
    assert.equal(only(rows, 'tool_use').length, 1);
  });

  it('recognises messages that had left the conversation before', () => {
    const rows = rowsOf([
      header(),
      user('u1', 'one'),
      gemini('g1', 'First.'),
      messages(context('ctx')),
      messages(context('ctx'), user('n1', 'one'), gemini('n2', 'First.')),
    ]);

    assert.equal(only(rows, 'user').length, 1);
    assert.equal(only(rows, 'assistant').length, 1);
  });

  it('recognises a second compression, and history that is recorded again after it', () => {
    const ack = [{ text: 'Got it. Thanks for the additional context!' }];
    const again = [
      user('r1', [
        { text: '<session_context>\nThis is the Gemini CLI.\n</session_context>' },
        { text: 'Summary A.' },
      ]),
      gemini('r2', ack),
      user('r3', 'two'),
    ];

    const rows = rowsOf([
      header(),
      messages(context('ctx')),
      user('u1', 'one'),
      user('u2', 'two'),
      messages(context('ctx'), user('s1', 'Summary A.'), gemini('s2', ack), user('k2', 'two')),
      ...again,
      messages(...again),
      messages(context('ctx'), user('t1', 'Summary A.'), gemini('t2', ack)),
    ]);

    assert.deepEqual(
      only(rows, 'user').map(({ text }) => text),
      ['one', 'two'],
    );
    assert.deepEqual(only(rows, 'assistant'), []);
    assert.deepEqual(
      only(rows, 'session.compressed').map(({ record }) => record),
      ['s1', 't1'],
    );
  });

  it('takes the time of the record that replaces the history', () => {
    const rows = rowsOf([header(), user('u1', 'one'), messages()]);

    const row = one(rows, 'session.history_replaced');
    assert.deepEqual([row.timestamp_utc, row.timestamp_source], [at('09:00:30'), 'record']);
  });

  it('takes results and calls that a rewrite brings for the first time', () => {
    const pending = gemini('g1', 'Testing.', {
      toolCalls: [call('c1', 'shell', { result: null, status: 'executing' })],
    });
    const later = gemini('g1', 'Testing.', { toolCalls: [call('c1', 'shell'), call('c2', 'glob')] });

    const rows = rowsOf([header(), pending, messages(later)]);

    assert.deepEqual(said(rows), [
      'assistant: Testing.',
      'tool_use: shell {"path":"src"}',
      'tool_result: done',
      'tool_use: glob {"path":"src"}',
      'tool_result: done',
    ]);
  });
});
