import assert from 'node:assert/strict';
import type { DraftRow } from '../../../../agent/contract/row.ts';
import { parseDocument } from '../specs.ts';
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
  type Json,
  messages,
  rowsOf,
  user,
} from '../support.ts';

describe('parsers/gemini-cli/secondary/saved-turns', () => {
  it('gives one row for each thing said, with its place', () => {
    const rows = turns(
      turn('user', { text: 'hi' }),
      turn('model', { text: 'Let me' }, { text: ' see.' }, asked('c1', 'ls')),
      turn('user', answer('c1', 'ls', { output: 'main.ts' })),
    );

    assert.deepEqual(rows.map(brief), [
      'user: hi',
      'assistant: Let me see.',
      'tool_use: ls {"path":"src"}',
      'tool_result: main.ts',
    ]);
    assert.deepEqual(
      rows.map(({ attributes }) => attributes?.['item']),
      [1, 2, 2, 3],
    );
    assert.deepEqual(
      rows.slice(2).map(({ tool_use_id, tool_name }) => [tool_use_id, tool_name]),
      [
        ['c1', 'ls'],
        ['c1', 'ls'],
      ],
    );
  });

  it('has no time and no session', () => {
    for (const { timestamp_utc, session_id } of turns(turn('user', { text: 'hi' })))
      assert.deepEqual([timestamp_utc, session_id], [undefined, undefined]);
  });

  it('gives nothing that a session of the same project claims', () => {
    const claims = claimsOf([
      header(),
      messages(context('0')),
      user('m1', 'hi'),
      gemini('m2', 'Let me see.', {
        toolCalls: [call('c1', 'ls')],
        thoughts: [{ subject: 'a', description: 'b' }],
      }),
      user('m3', 'more'),
      gemini('m4', '', { thoughts: [{ subject: 'only', description: 'thinking' }] }),
    ]);
    const rows = turns(
      turn('user', { text: CONTEXT_TEXT }, { text: 'hi' }),
      turn('model', { text: '**a** b', thought: true }, { text: 'Let me see.\n' }, asked('c1', 'ls')),
      turn('user', answer('c1', 'ls', { output: 'done' })),
      turn('user', { text: 'more' }),
      turn('model', { text: '**only** thinking', thought: true }),
    );

    assert.deepEqual(rows.filter((row) => !claims.has(row.copyOf ?? '')).map(brief), []);
    assert.equal(rows.length, 8);
  });

  it('gives what a session of another project says', () => {
    const claims = claimsOf(
      [header(), user('m1', 'yes')],
      'tmp/other/chats/session-2026-10-01T09-00-c0de0001.jsonl',
    );

    assert.ok(!claims.has(turns(turn('user', { text: 'yes' }))[0]?.copyOf ?? ''));
  });

  it('takes user messages apart that the program joined, and leaves out the contents of files', () => {
    const rows = turns(
      turn(
        'user',
        { text: 'first' },
        { text: '@a.ts explain' },
        { text: '\n--- Content from referenced files ---' },
        { text: 'body' },
        { text: '\n--- End of content ---' },
        { text: 'last' },
      ),
    );

    assert.deepEqual(rows.map(brief), ['user: first', 'user: @a.ts explain', 'user: last']);
  });

  it('gives a compression summary as one, and no answer to it', () => {
    const claims = claimsOf([
      header(),
      user('m1', 'one'),
      gemini('m2', 'two'),
      messages(
        context('0'),
        user('s1', 'We did things.'),
        gemini('s2', 'Got it. Thanks for the additional context!'),
      ),
    ]);
    const rows = turns(
      turn('user', { text: 'We did things.' }),
      turn('model', { text: 'Got it. Thanks for the additional context!' }),
    );

    assert.deepEqual(rows.map(brief), ['session.compressed: We did things.']);
    assert.ok(claims.has(rows[0]?.copyOf ?? ''));
  });

  it('tells a call that a rule blocked, and one that failed', () => {
    const rows = turns(
      turn('user', answer('c1', 'sh', { error: 'Tool execution denied by policy. Never.' })),
      turn('user', answer('c2', 'sh', { error: 'no such file' })),
      turn('user', answer('c3', 'sh', { error: '[Operation Cancelled] Reason: User denied execution.' })),
    );

    assert.deepEqual(rows.map(brief), [
      'tool_result: [error] Tool execution denied by policy. Never.',
      'permission.decision: permission decision: denied by policy',
      'tool_result: [error] no such file',
      'tool_result: [cancelled] [Operation Cancelled] Reason: User denied execution.',
      'permission.decision: permission decision: cancelled',
    ]);
    assert.equal(rows[1]?.attributes?.['deny_message'], 'Never.');
  });

  it('lets a shell command with its output stand for the line of the shell history', () => {
    const text =
      'I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n```\na\n```';
    const [row] = turns(turn('user', { text }));

    assert.deepEqual(row?.claims, ['text proj user ls']);
    assert.equal(row.attributes?.['input'], 'shell');
  });

  it('takes calls without an id for copies where what was said before them is one', () => {
    const rows = turns(
      turn('user', { text: 'hi' }),
      turn('model', { functionCall: { name: 'ls', args: {} } }),
      turn('user', { functionResponse: { name: 'ls', response: { output: 'x' } } }),
    );

    assert.equal(new Set(rows.map(({ copyOf }) => copyOf)).size, 1);
    assert.equal(rows[1]?.tool_use_id, null);
  });

  it('gives the same words twice when they were said twice, and once when two files have them', () => {
    const once = turns(turn('user', { text: 'yes' }));
    const twice = turns(
      turn('user', { text: 'yes' }),
      turn('model', { text: 'ok' }),
      turn('user', { text: 'yes' }),
    );

    const ids = (rows: readonly DraftRow[]) =>
      rows.map(({ record, part, content }) => `${record} ${part} ${content}`);
    assert.equal(new Set(ids(twice)).size, 3);
    assert.equal(ids(once)[0], ids(twice)[0]);
  });

  it('survives turns of any shape', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const text = `[{},{"role":7,"parts":7},{"parts":null},{"role":"model","parts":"plain"},{"role":"user","parts":[null,7,"bare"]},{"role":"model","parts":[{"functionCall":{"id":"c","name":"x","args":${deep}}}]}]`;

    const rows = parseDocument(PATH, text).rows.slice(1);

    assert.deepEqual(
      rows.map(({ text: said }) => said.slice(0, 40)),
      ['plain', 'bare', 'parser: unparseable record 6 (unexpected'],
    );
  });
});

const PATH = 'tmp/proj/checkpoint-x.json';

function turn(role: string, ...parts: readonly Json[]): Json {
  return { role, parts };
}

function turns(...list: readonly Json[]): readonly DraftRow[] {
  return parseDocument(PATH, JSON.stringify(list)).rows.slice(1);
}

function claimsOf(records: readonly Json[], path?: string): Set<string> {
  const rows = rowsOf(records, path === undefined ? {} : { path });
  assert.ok(rows.some((row) => row.timestamp_utc === at('09:00:05')));
  return new Set(rows.flatMap(({ claims }) => claims ?? []));
}
