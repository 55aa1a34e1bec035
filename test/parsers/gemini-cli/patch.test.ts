import assert from 'node:assert/strict';
import { parseLog } from '../support.ts';
import {
  answer,
  CONTEXT_TEXT,
  call,
  context,
  contextFor,
  gemini,
  header,
  linesOf,
  one,
  only,
  rowsOf,
  said,
  sessionSpec,
  user,
} from './support.ts';

const DONE = gemini('g1', 'Testing.', { toolCalls: [call('c1', 'shell')] });

describe('parsers/gemini-cli/patch', () => {
  it('says that a result or a content was removed', () => {
    const rows = rowsOf([
      header(),
      user('u1', 'secret words'),
      DONE,
      { $patch: { id: 'g1', toolCalls: [{ id: 'c1', result: null }] } },
      { $patch: { updates: [{ id: 'u1', content: [] }] } },
    ]);

    assert.deepEqual(
      only(rows, 'session.patched').map(({ text, record }) => [record, text]),
      [
        ['g1', 'message g1 patched: result of c1 removed'],
        ['u1', 'message u1 patched: content removed'],
      ],
    );
    assert.equal(one(rows, 'tool_result').text, 'done');
  });

  it('says that a result or a text was put in other words', () => {
    const masked = [answer('c1', 'shell', { output: '[masked]' })];

    const rows = rowsOf([
      header(),
      DONE,
      {
        $patch: {
          updates: [{ id: 'g1', content: [{ text: 'Other.' }], toolCalls: [{ id: 'c1', result: masked }] }],
        },
      },
    ]);

    assert.equal(
      one(rows, 'session.patched').text,
      'message g1 patched: content replaced: Other.; result of c1 replaced',
    );
    assert.deepEqual(one(rows, 'session.patched').attributes, { message: 'g1', changes: 2 });
  });

  it('does not take another form of the same for a change', () => {
    const parts = [{ text: 'Testing. ' }, { functionCall: { id: 'c1', name: 'shell', args: {} } }];
    const turn = [answer('c0', 'glob', { output: 'x' }), answer('c1', 'shell', { output: 'done' })];
    const records = [
      header(),
      DONE,
      { $patch: { updates: [{ id: 'g1', content: parts, toolCalls: [{ id: 'c1', result: turn }] }] } },
    ];

    assert.deepEqual(rowsOf(records), rowsOf(records.slice(0, 2)));
  });

  it('gives the result of a call that had none', () => {
    const pending = gemini('g1', '', {
      toolCalls: [call('c1', 'shell', { result: null, status: 'executing' })],
    });
    const result = [answer('c1', 'shell', { output: 'late' })];

    const rows = rowsOf([header(), pending, { $patch: { id: 'g1', toolCalls: [{ id: 'c1', result }] } }]);

    assert.deepEqual(said(rows), ['tool_use: shell {"path":"src"}', 'tool_result: late']);
  });

  it('reads updates that are whole messages like messages', () => {
    const rows = rowsOf([header(), { $patch: { updates: [user('u1', 'in a patch')] } }]);

    assert.deepEqual(said(rows), ['user: in a patch']);
  });

  it('says what left the conversation, and rewinds in the new order', () => {
    const rows = rowsOf([
      header(),
      user('u1', 'one'),
      gemini('g1', 'First.'),
      user('u2', 'two'),
      { $patch: { removeIds: ['u1', 'nowhere'], orderIds: ['u2', 'g1'] } },
      { $rewindTo: 'g1' },
    ]);

    assert.equal(one(rows, 'session.history_replaced').text, 'history replaced: 1 removed');
    assert.deepEqual(one(rows, 'session.rewound').attributes, {
      to: 'g1',
      removed_messages: 1,
      removed_prompts: 0,
    });
  });

  it('takes a context that a resume puts in place of the old one for a context', () => {
    const text = '<session_context>\nanother tree\n</session_context>';

    const rows = rowsOf([
      header(),
      context('ctx'),
      user('u1', 'one'),
      {
        $patch: {
          updates: [
            { id: 'ctx', content: [{ text }] },
            { id: 'u1', content: [{ text: 'one' }] },
          ],
        },
      },
    ]);

    assert.deepEqual(
      only(rows, 'session.context').map((row) => row.text),
      [CONTEXT_TEXT, text],
    );
    assert.deepEqual(said(rows), ['user: one']);
  });

  it('counts patches of what is not there', () => {
    const fake = contextFor();

    parseLog(sessionSpec, linesOf([header(), { $patch: { id: 'nowhere', content: [] } }]), fake);

    assert.deepEqual([...fake.notes], [['unknown_patch_target', 1]]);
  });

  it('takes a compression that is written as single records for one row', () => {
    const summary = '<state_snapshot>\nso far\n</state_snapshot>';
    const ack = [{ text: 'Got it. Thanks for the additional context!' }];

    const rows = rowsOf([
      header(),
      context('ctx'),
      user('u1', 'one'),
      gemini('g1', 'First.'),
      user('u2', 'two'),
      user('s1', summary),
      gemini('s2', ack, { model: undefined }),
      user('k1', 'two'),
      { $patch: { removeIds: ['u1', 'g1', 'u2'], orderIds: ['ctx', 's1', 's2', 'k1'] } },
      user('u3', 'three'),
    ]);

    assert.deepEqual(said(rows), [
      'user: one',
      'assistant: First.',
      'user: two',
      `session.compressed: ${summary}`,
      'session.history_replaced: history replaced: 3 removed',
      'user: three',
    ]);
  });
});
