import assert from 'node:assert/strict';
import { geminiCli } from '../../../parsers/gemini-cli/index.ts';
import { draftId } from '../support.ts';
import {
  answer,
  asked,
  at,
  brief,
  CONTEXT_TEXT,
  call,
  context,
  gemini,
  header,
  messages,
  one,
  only,
  rowsOf,
  SESSION_ID,
  said,
  set,
  user,
} from './support.ts';

/** The table of edge cases in docs/formats/gemini-cli.md, by its numbers, first half. */
describe('parsers/gemini-cli/session', () => {
  it('1: a message that comes again with its calls gives one answer, and the calls from the second line', () => {
    const first = gemini('g1', 'Reading.', { tokens: { input: 3, output: 2, total: 5 } });

    const rows = rowsOf([header(), first, { ...first, toolCalls: [call('c1', 'read_file')] }]);

    assert.deepEqual(said(rows), [
      'assistant: Reading.',
      'tool_use: read_file {"path":"src"}',
      'tool_result: done',
    ]);
    assert.deepEqual(
      rows.filter(({ turn_type }) => turn_type !== 'system').map(({ source_line }) => source_line),
      [2, 3, 3],
    );
    assert.equal(one(rows, 'assistant').timestamp_utc, at('09:00:06'));
  });

  it('2: a message without text gives no answer, but its thoughts and calls', () => {
    const thoughts = [{ subject: 'Plan', description: 'Look first.', timestamp: at('09:00:04') }];

    const rows = rowsOf([header(), gemini('g1', '', { thoughts, toolCalls: [call('c1', 'read_file')] })]);

    assert.deepEqual(said(rows), [
      'thinking: Plan\nLook first.',
      'tool_use: read_file {"path":"src"}',
      'tool_result: done',
    ]);
    assert.equal(one(rows, 'thinking').timestamp_utc, at('09:00:04'));
  });

  it('3: a user message of results alone gives a result only where the call has none', () => {
    const running = call('c2', 'glob', { result: null, status: 'executing' });
    const message = gemini('g1', '', { toolCalls: [call('c1', 'read_file'), running] });
    const copies = [answer('c1', 'read_file', { output: 'done' }), answer('c2', 'glob', { output: 'late' })];

    const rows = rowsOf([header(), message, user('u1', copies), user('u2', copies)]);

    assert.deepEqual(only(rows, 'user'), []);
    assert.deepEqual(
      only(rows, 'tool_result').map((row) => [row.record, row.tool_use_id, row.text]),
      [
        ['g1', 'c1', 'done'],
        ['g1', 'c2', 'late'],
      ],
    );
  });

  it('4: a user message of results and text is a prompt of the text', () => {
    const parts = [answer('c1', 'read_file', { output: 'done' }), { text: 'and now the tests' }];

    const rows = rowsOf([
      header(),
      gemini('g1', '', { toolCalls: [call('c1', 'read_file')] }),
      user('u1', parts),
    ]);

    assert.deepEqual(only(rows, 'user').map(brief), ['user: and now the tests']);
    assert.equal(only(rows, 'tool_result').length, 1);
  });

  it('5: the session context is a system row, what stands beside it a prompt', () => {
    const merged = user('u1', [{ text: CONTEXT_TEXT }, { text: 'hello' }]);

    const rows = rowsOf([header(), merged]);

    assert.equal(one(rows, 'session.context').text, CONTEXT_TEXT);
    assert.equal(one(rows, 'user').text, 'hello');
  });

  it('6: history that is recorded again after a refused approval gives no rows', () => {
    const refused = call('c2', 'run_shell_command', {
      status: 'cancelled',
      result: [
        answer('c2', 'run_shell_command', { error: '[Operation Cancelled] Reason: User denied execution.' }),
      ],
    });
    const history = [
      header(),
      messages(context('ctx')),
      user('u1', 'list it'),
      gemini('g1', 'Listing.'),
      gemini('g1', 'Listing.', { toolCalls: [call('c1', 'list_directory')] }),
      user('r1', [answer('c1', 'list_directory', { output: 'done' })]),
      gemini('g2', ''),
      gemini('g2', '', { toolCalls: [call('c9', 'glob')] }),
      user('r9', [answer('c9', 'glob', { output: 'done' })]),
      gemini('g3', 'Two files.'),
      user('u2', 'remove it'),
      gemini('g4', 'Removing.', { toolCalls: [refused] }),
    ];
    const bare = { model: undefined, tokens: null, thoughts: [] };
    const again = [
      user('n1', [{ text: CONTEXT_TEXT }, { text: 'list it' }]),
      gemini('n2', [{ text: 'Listing.' }, asked('c1', 'list_directory')], bare),
      user('n3', [answer('c1', 'list_directory', { output: 'done' })]),
      gemini('n4', [asked('c9', 'glob')], bare),
      user('n5', [answer('c9', 'glob', { output: 'done' })]),
      gemini('n6', [{ text: 'Two files.' }], bare),
    ];

    const before = rowsOf(history);
    const rows = rowsOf([...history, ...again, messages(...again), user('u3', 'go on')]);

    assert.deepEqual(rows.slice(0, before.length), before);
    assert.deepEqual(rows.slice(before.length).map(brief), [
      'session.history_replaced: history replaced: 2 removed, 4 kept',
      'user: go on',
    ]);
    assert.equal(one(before, 'permission.decision').attributes?.['decision'], 'user_denied');
  });

  it('7: a prompt that a failed request takes out of the history stays', () => {
    const rows = rowsOf([
      header(),
      messages(context('ctx')),
      user('u1', 'too much'),
      messages(context('ctx')),
    ]);

    assert.deepEqual(said(rows), [
      'user: too much',
      'session.history_replaced: history replaced: 1 removed, 0 kept',
    ]);
  });

  it('8: messages that a resume writes again in another form give nothing new', () => {
    const thoughts = [{ subject: 'Plan', description: 'Answer.', timestamp: at('09:00:06') }];
    const first = [
      header(),
      messages(context('ctx')),
      user('u1', 'hi'),
      gemini('g1', 'Hello.', { thoughts }),
    ];
    const later = { timestamp: at('09:10:00'), model: undefined };
    const rewritten = messages(
      context('ctx'),
      user('u1', 'hi', later),
      gemini('g1', [{ text: '**Plan** Answer.', thought: true }, { text: 'Hello. ' }], later),
    );

    const rows = rowsOf([...first, rewritten]);

    assert.deepEqual(rows, rowsOf(first));
  });

  it('9: the results that a resume makes up as messages of their own give nothing', () => {
    const message = gemini('g1', '', { toolCalls: [call('c1', 'glob')] });
    const made = user('g1_response', [
      answer('c1', 'glob', { output: 'done' }),
      answer('made-up', 'glob', {}),
    ]);

    const rows = rowsOf([header(), message, messages(message, made)]);

    assert.equal(only(rows, 'tool_result').length, 1);
  });

  it('10: the stub of a resumed session gives no row that the session itself does not have under the same id', () => {
    const stub = [header({ startTime: at('09:10:00') }), messages(context('ctx'))];
    const path = 'tmp/proj/chats/session-2026-10-01T09-10-c0de0001.jsonl';

    const rows = rowsOf(stub, { path });

    assert.deepEqual(
      rows.map(({ event }) => event),
      ['session.start', 'session.context'],
    );
    const whole = rowsOf([header(), messages(context('ctx')), user('u1', 'hi')]);
    assert.equal(
      draftId(geminiCli, one(rows, 'session.context')),
      draftId(geminiCli, one(whole, 'session.context')),
    );
    assert.equal(one(rows, 'session.start').session_id, SESSION_ID);
  });

  it('11: a second header in the file is a start of the same session and brings nothing back', () => {
    const again = header({ startTime: at('09:00:40') });

    const rows = rowsOf([header(), user('u1', 'hi'), again, user('u1', 'hi'), user('u2', 'more')]);

    const [first, second] = only(rows, 'session.start');
    assert.equal(first?.attributes?.['resumed'], undefined);
    assert.equal(second?.attributes?.['resumed'], true);
    assert.equal(second?.timestamp_utc, at('09:00:40'));
    assert.deepEqual(only(rows, 'user').map(brief), ['user: hi', 'user: more']);
  });

  it('12: a file without header has the session id of the other files, or the eight characters of its name', () => {
    const records = [user('u1', 'hi'), gemini('g1', 'Hello.')];

    const alone = rowsOf(records);
    const known = rowsOf(records, {
      given: { knownSession: (prefix) => (prefix === 'c0de0001' ? SESSION_ID : undefined) },
    });

    assert.deepEqual(new Set(alone.map(({ session_id }) => session_id)), new Set(['c0de0001']));
    assert.deepEqual(new Set(known.map(({ session_id }) => session_id)), new Set([SESSION_ID]));
    const whole = rowsOf([header(), ...records]).filter(({ event }) => event !== 'session.start');
    assert.deepEqual(
      alone.map((row) => draftId(geminiCli, row)),
      whole.map((row) => draftId(geminiCli, row)),
    );
  });

  it('13: a rewind takes no row back and is a row itself, also to an id that is not there', () => {
    const rows = rowsOf([
      header(),
      user('u1', 'one'),
      gemini('g1', 'First.'),
      user('u2', 'two'),
      gemini('g2', 'Second.'),
      { $rewindTo: 'u2' },
      { $rewindTo: 'nowhere' },
    ]);

    assert.deepEqual(said(rows), [
      'user: one',
      'assistant: First.',
      'user: two',
      'assistant: Second.',
      'session.rewound: rewound to u2',
      'session.rewound: rewound to nowhere',
    ]);
    assert.deepEqual(
      only(rows, 'session.rewound').map(({ attributes }) => attributes),
      [
        { to: 'u2', removed_messages: 2, removed_prompts: 1 },
        { to: 'nowhere', removed_messages: 2, removed_prompts: 1, known: false },
      ],
    );
  });

  it('14: a compression is one system row, and the turns it keeps are repeats', () => {
    const history = [
      header(),
      messages(context('ctx')),
      user('u1', 'one'),
      gemini('g1', 'First.'),
      user('u2', 'two'),
    ];
    const compressed = messages(
      context('ctx'),
      user('s1', 'What happened so far.'),
      gemini('s2', [{ text: 'Got it. Thanks for the additional context!' }], { model: undefined }),
      user('k2', 'two'),
    );

    const rows = rowsOf([...history, set({ sessionId: SESSION_ID }), compressed, user('u3', 'three')]);

    assert.deepEqual(said(rows), [
      'user: one',
      'assistant: First.',
      'user: two',
      'session.compressed: What happened so far.',
      'user: three',
    ]);
    assert.deepEqual(one(rows, 'session.compressed').attributes, { removed: 2, kept: 1 });
  });

  it('15: a summary that is appended days later is one row at the time of the file', () => {
    const summary = set({ summary: 'Two greetings.', memoryScratchpad: { version: 1 } });

    const rows = rowsOf([header(), user('u1', 'hi'), summary, summary]);

    const row = one(rows, 'session.summary');
    assert.equal(row.text, 'Two greetings.');
    assert.equal(row.timestamp_source, 'file');
    assert.deepEqual(only(rows, 'session.memory'), []);
  });
});
