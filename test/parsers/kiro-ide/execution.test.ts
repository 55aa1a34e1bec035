import assert from 'node:assert/strict';
import type { DraftRow } from '../../../agent/contract/row.ts';
import {
  action,
  assistant,
  CHAT_PATH,
  copies,
  EXECUTION,
  EXECUTION_PATH,
  eventsOf,
  execution,
  executionPath,
  idOf,
  type Json,
  left,
  PROJECT,
  parse,
  SESSION,
  SESSION_PATH,
  START,
  START_MS,
  said,
  session,
  user,
} from './support.ts';

describe('parsers/kiro-ide/execution', () => {
  it('gives what was thought, said and done, in order', () => {
    const { rows } = parse(
      EXECUTION_PATH,
      execution([
        action('a1', 'reasoning', { output: { message: 'Hm.' } }),
        action('a2', 'say', { output: { message: 'I will.' } }),
        action('a3', 'create', { input: { file: 'a.ts' }, actionState: 'Accepted', output: {} }),
      ]),
    );

    assert.deepEqual(said(rows), ['thinking: Hm.', 'assistant: I will.', 'tool_use: create {"file":"a.ts"}']);
    assert.equal(rows.at(-1)?.tool_use_id, 'a3');
    assert.deepEqual(
      rows.map(({ session_id }) => session_id),
      Array(4).fill(SESSION),
    );
  });

  it('has the time of an action where it has one, else the start of the execution', () => {
    const { rows } = parse(
      EXECUTION_PATH,
      execution([
        action('a1', 'say', { output: { message: 'one' } }),
        action('a2', 'say', { output: { message: 'two' }, emittedAt: START_MS + 5_000 }),
      ]),
    );

    assert.deepEqual(
      rows.map(({ timestamp_utc, timestamp_source }) => [timestamp_utc, timestamp_source]),
      [
        [START, 'record'],
        [START, 'derived'],
        ['2026-10-01T08:00:05.000Z', 'record'],
      ],
    );
  });

  it('knows the project from the execution, else from the workspace that its directory names', () => {
    const input = { data: { workspacePaths: ['/srv/said'] } };
    const files = { [SESSION_PATH]: session([]) };
    const projectOf = (content: Json) => parse(EXECUTION_PATH, content, { files }).rows[0]?.project_path;

    assert.equal(projectOf(execution([], { input })), '/srv/said');
    assert.equal(projectOf(execution([], { workspaceContext: { cwd: '/srv/cwd' } })), '/srv/cwd');
    assert.equal(projectOf(execution([])), PROJECT);
  });

  it('gives results with their state and exit code, and none while there is none', () => {
    const results = (more: Json) =>
      parse(EXECUTION_PATH, execution([action('a1', 'runCommand', { input: { command: 'ls' }, ...more })]))
        .rows.filter(({ turn_type }) => turn_type === 'tool_result')
        .map(({ text, attributes }) => [text, attributes]);

    assert.deepEqual(results({ output: {} }), []);
    assert.deepEqual(results({}), []);
    assert.deepEqual(results({ output: { output: 'a.ts', exitCode: 0 } }), [['a.ts', { exit_code: 0 }]]);
    assert.deepEqual(results({ output: { output: '', exitCode: 1 } }), [
      ['{"output":"","exitCode":1}', { exit_code: 1 }],
    ]);
    assert.deepEqual(results({ output: 'text' }), [['text', {}]]);
    assert.deepEqual(results({ output: { error: 'gone' }, actionState: 'Failed' }), [
      ['[error] gone', { state: 'Failed' }],
    ]);
    assert.deepEqual(results({ actionState: 'Error' }), [['[error]', { state: 'Error' }]]);
    assert.deepEqual(results({ output: { files: ['a'] } }), [['{"files":["a"]}', {}]]);
  });

  for (const [state, decision, word] of [
    ['Rejected', { decision: 'user_denied', by: 'user' }, 'denied by=user tool=runCommand'],
    ['Canceled', { decision: 'cancelled' }, 'cancelled'],
    ['PendingAction', { decision: 'awaiting_approval' }, 'awaiting_approval'],
    ['Blocked', { decision: 'deny_rule', by: 'deny-rule' }, 'denied by=deny-rule tool=runCommand'],
  ] as const) {
    it(`takes the state ${state} for a decision`, () => {
      const { rows } = parse(EXECUTION_PATH, execution([action('a1', 'runCommand', { actionState: state })]));

      const [row] = eventsOf(rows, 'permission.decision');
      assert.equal(row?.text, `permission decision: ${word}`);
      assert.deepEqual(row?.attributes, { status: state, ...decision });
      assert.deepEqual([row?.tool_name, row?.tool_use_id], ['runCommand', 'a1']);
    });
  }

  for (const state of ['Success', 'Accepted', 'Error', 'toString', '']) {
    it(`takes the state ${state === '' ? 'nothing' : state} for no decision`, () => {
      const { rows } = parse(EXECUTION_PATH, execution([action('a1', 'runCommand', { actionState: state })]));

      assert.deepEqual(eventsOf(rows, 'permission.decision'), []);
    });
  }

  it('shows what would act on a terminal', () => {
    const output = { output: '\u001b[31mred\u001b[0m and \u009b1mbold' };

    const { rows } = parse(EXECUTION_PATH, execution([action('a1', 'runCommand', { output })]));

    assert.equal(rows.at(-1)?.text, '\u241b[31mred\u241b[0m and \ufffd1mbold');
  });

  it('names a tool of a server by itself', () => {
    const input = { serverName: 'db', toolName: 'query', toolArgs: { sql: 'select 1' } };
    const { rows } = parse(
      EXECUTION_PATH,
      execution([action('a1', 'mcp', { input, output: { response: '1' } })]),
    );

    assert.deepEqual(said(rows), ['tool_use: query {"sql":"select 1"}', 'tool_result: 1']);
    assert.equal(rows[1]?.attributes?.['mcp_server'], 'db');
  });

  it('says how it ended, why, and what it used', () => {
    const { rows } = parse(
      EXECUTION_PATH,
      execution([action('a0', 'intentClassification', { intentResult: { classification: 'do' } })], {
        status: 'failed',
        endTime: START_MS + 1_500,
        result: { error: { message: 'too busy' } },
        usageSummary: [
          { unit: 'credit', usage: 0.1, usedTools: ['a'] },
          { unit: 'credit', usage: 0.2 },
        ],
      }),
    );

    assert.deepEqual(said(rows), ['message.error: too busy', 'session.usage: usage: 0.3 credit']);
    assert.deepEqual(eventsOf(rows, 'session.turn')[1]?.attributes, {
      execution_id: EXECUTION,
      status: 'failed',
      intent: 'do',
      duration_ms: 1_500,
    });
  });

  it('does not say that it ended while it runs', () => {
    assert.equal(eventsOf(parse(EXECUTION_PATH, execution([])).rows, 'session.turn').length, 1);
  });

  it('gives every row once while its file grows', () => {
    const actions = [
      action('a1', 'say', { output: { message: 'one' } }),
      action('a2', 'runCommand', { input: { command: 'ls' }, output: { output: 'a' } }),
      action('a3', 'say', { output: { message: 'two' } }),
    ];
    const versions = actions.map((_, n) => parse(EXECUTION_PATH, execution(actions.slice(0, n + 1))).rows);
    const last = parse(EXECUTION_PATH, execution(actions, { status: 'succeed' })).rows;

    const ids = new Set([...versions.flat(), ...last].map(idOf));
    assert.deepEqual(ids, new Set(last.map(idOf)));
  });

  it('tells the prompt itself only where no session does', () => {
    const input = { data: { messages: [{ role: 'user', content: [{ type: 'text', text: 'do it' }] }] } };
    const alone = parse(EXECUTION_PATH, execution([], { input })).rows;
    const files = { [SESSION_PATH]: session([]) };
    const beside = parse(EXECUTION_PATH, execution([], { input }), { files }).rows;

    assert.deepEqual(said(alone), ['user: do it']);
    assert.deepEqual(said(beside), []);
    assert.deepEqual(copies(beside), ['user: do it']);
  });

  it('leaves the prompt to the session that names the execution, whatever the words are', () => {
    const input = { data: { messages: [{ role: 'user', content: 'do it, wrapped in something' }] } };
    const linked = { [SESSION_PATH]: session([user('1', 'do it'), assistant('2', 'On it.', EXECUTION)]) };
    const lost = { [SESSION_PATH]: session([assistant('2', 'On it.', EXECUTION)]) };

    for (const [files, prompts] of [
      [linked, ['user: do it']],
      [lost, ['user: do it, wrapped in something']],
    ] as const) {
      const rows = [
        ...parse(SESSION_PATH, files[SESSION_PATH], { files }).rows,
        ...parse(EXECUTION_PATH, execution([], { input }), { files }).rows,
      ];

      assert.deepEqual(left(rows), prompts);
    }
  });

  it('tells the same words of two executions twice where no session does', () => {
    const input = { data: { userPrompt: 'continue' } };
    const other = 'another execution';
    const rows = [
      ...parse(EXECUTION_PATH, execution([], { input })).rows,
      ...parse(executionPath(other), execution([], { input, executionId: other })).rows,
    ].filter(({ turn_type }) => turn_type === 'user');

    assert.equal(new Set(rows.map(idOf)).size, 2);
  });

  it('tells a conversation once that lies in session, executions and chats', () => {
    const history = [user('1', 'do it'), assistant('2', 'On it.', EXECUTION)];
    const messages = [
      { role: 'human', entries: [{ type: 'text', text: '<identity>you are</identity>' }] },
      { role: 'bot', entries: [{ type: 'text', text: 'I will follow these instructions.' }] },
      { role: 'human', entries: [{ type: 'text', text: 'do it' }] },
      {
        role: 'bot',
        entries: [
          { type: 'text', text: 'Done.' },
          { type: 'toolUse', name: 'x' },
        ],
      },
    ];
    const content = execution([action('a1', 'say', { output: { message: 'Done.' } })], {
      context: { messages },
    });
    const chat = {
      executionId: EXECUTION,
      chat: [
        { role: 'human', content: 'do it' },
        { role: 'bot', content: 'Done. <tool_use><name>x</name></tool_use>' },
      ],
    };
    const files = { [SESSION_PATH]: session(history), [EXECUTION_PATH]: content };
    const rows = [
      ...parse(SESSION_PATH, session(history), { files }).rows,
      ...parse(EXECUTION_PATH, content, { files }).rows,
      ...parse(CHAT_PATH, chat, { files }).rows,
    ];

    assert.deepEqual(left(rows).sort(), ['assistant: Done.', 'user: do it']);
  });

  it('takes an answer that a session keeps whole for the one of its execution', () => {
    const actions = ['one', 'two'].map((message, n) => action(`a${n}`, 'say', { output: { message } }));
    const files = { [EXECUTION_PATH]: execution(actions) };
    const rows: DraftRow[] = [
      ...parse(SESSION_PATH, session([assistant('2', 'one\n\ntwo', EXECUTION)]), { files }).rows,
      ...parse(EXECUTION_PATH, execution(actions)).rows,
    ];

    assert.deepEqual(left(rows), ['assistant: one', 'assistant: two']);
  });

  it('gives what is repeated of executions that are gone', () => {
    const messages = [{ role: 'human', entries: [{ type: 'text', text: 'long ago' }] }];

    const { rows } = parse(EXECUTION_PATH, execution([], { context: { messages } }));

    assert.deepEqual(left(rows), ['user: long ago']);
  });

  it('gives no data of images or lists of bytes', () => {
    const output = { image: 'data:image/jpeg;base64,AAAAAAAA', raw: Array.from({ length: 100 }, () => 7) };
    const { rows } = parse(EXECUTION_PATH, execution([action('a1', 'shoot', { output })]));

    assert.equal(rows.at(-1)?.text, '{"image":"[image jpeg, 6 bytes]","raw":"[100 bytes]"}');
  });

  it('keeps what is whole of a file that stays cut', () => {
    const whole = JSON.stringify(
      execution(['one', 'two'].map((message, n) => action(`a${n}`, 'say', { output: { message } }))),
    );

    const { rows } = parse(EXECUTION_PATH, whole.slice(0, -30));

    assert.deepEqual(left(rows), ['assistant: one']);
    assert.equal(eventsOf(rows, 'parser.error').length, 1);
  });

  it('counts a file that is no execution, without a row', () => {
    const { rows, context } = parse(EXECUTION_PATH, { version: 1 });

    assert.deepEqual([rows.length, context.notes.get('unknown_record')], [0, 1]);
  });
});
