import assert from 'node:assert/strict';
import { join } from 'node:path';
import { kiroCli } from '../../../../parsers/kiro-cli/index.ts';
import { sessionFiles } from '../../../../parsers/shared/kiro-sessions/index.ts';
import { eventRows, idOf, type Json, message, parse, said, V3_ID, V3_PATH } from '../../kiro-cli/support.ts';
import { fakeContext, parseFile, parseHome } from '../../support.ts';

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/kiro-cli');

const tool = (id: string, more: Json = {}, second = 2) =>
  message(id, 'tool_call', { toolCallId: id, toolName: 'shell', args: { command: 'ls' }, ...more }, second);
const pending = (id: string, second = 3) =>
  message(
    `p-${id}`,
    'pending_interaction',
    {
      interactionType: 'tool_approval',
      toolCallId: id,
      question: 'Run command: ls',
    },
    second,
  );
const resolved = (id: string, selectedOption: string, second = 5) =>
  message(`r-${id}`, 'interaction_resolved', { toolCallId: id, outcome: 'selected', selectedOption }, second);
const v3 = (records: readonly Json[]) => parse(records, V3_PATH);

describe('parsers/shared/kiro-sessions/messages', () => {
  it('reads prompts, answers, reasoning, calls and results', () => {
    const rows = v3([
      message('u1', 'user', { content: [{ type: 'text', text: 'hello' }], source: 'chat' }),
      message('a1', 'assistant', { operationType: 'Reasoning', content: '...' }),
      message('a2', 'assistant', { operationType: 'Reasoning', content: 'Hm.' }),
      message('a3', 'assistant', { operationType: 'Say', content: 'Looking.' }),
      tool('t1'),
      message('t1-result', 'tool_result', {
        toolCallId: 't1',
        content: 'README',
        success: true,
        durationMs: 9,
      }),
    ]);

    assert.deepEqual(said(rows), [
      'user: hello',
      'thinking: Hm.',
      'assistant: Looking.',
      'tool_use: {"command":"ls"}',
      'tool_result: README',
    ]);
    assert.equal(rows[4]?.tool_name, 'shell');
    assert.ok(rows.every(({ session_id }) => session_id === V3_ID));
  });

  it('takes the states of one call for one call', () => {
    const rows = v3([tool('t1', { status: 'pending' }), tool('t1', { status: 'completed' })]);

    assert.deepEqual(said(rows), ['tool_use: {"command":"ls"}']);
  });

  it('tells a question, its answer and how long that took', () => {
    const rows = v3([pending('t1'), resolved('t1', 'reject'), tool('t1', { status: 'denied' })]);
    const [asked, decided, ...more] = eventRows(rows, 'permission.decision');

    assert.equal(asked?.text, 'permission decision: awaiting_approval: Run command: ls');
    assert.equal(decided?.text, 'permission decision: denied by=user');
    assert.equal(decided?.attributes?.['latency_ms'], 2000);
    assert.equal(decided?.attributes?.['question'], 'Run command: ls');
    assert.equal(decided?.tool_use_id, 't1');
    assert.deepEqual(more, []);
  });

  it('tells which decisions hold from now on, and which file has them', () => {
    const rows = v3([
      pending('t1'),
      resolved('t1', 'always-accept'),
      pending('t2'),
      resolved('t2', 'always-reject'),
    ]);
    const decided = eventRows(rows, 'permission.decision').filter(({ attributes }) => attributes?.['option']);

    assert.deepEqual(
      decided.map(({ text, attributes }) => [text, attributes?.['standing'], attributes?.['standing_file']]),
      [
        ['permission decision: approved by=user for good', 'allow', 'permissions.yaml'],
        ['permission decision: denied by=user for good', 'deny', 'permissions.yaml'],
      ],
    );
  });

  it('tells a call that was denied without a question', () => {
    const rows = v3([tool('t1', { status: 'denied' })]);

    assert.deepEqual(said(rows), [
      'tool_use: {"command":"ls"}',
      'permission.decision: permission decision: denied tool=shell',
    ]);
  });

  it('tells an answer that is no decision as such', () => {
    const question = { interactionType: 'user_input', toolCallId: 'q1', question: 'Which one?' };
    const rows = v3([
      message('p1', 'pending_interaction', question),
      message('r1', 'interaction_resolved', {
        toolCallId: 'q1',
        outcome: 'answered',
        selectedOption: 'the blue',
      }),
    ]);

    assert.deepEqual(said(rows), [
      'permission.decision: question: Which one?',
      'permission.decision: question answered: the blue',
    ]);
  });

  it('calls a question that nobody answered neither denied nor approved', () => {
    const rows = v3([pending('t1'), message('e1', 'turn_end', { stopReason: 'cancelled' })]);

    assert.deepEqual(said(rows), [
      'permission.decision: permission decision: awaiting_approval: Run command: ls',
      'session.turn: turn ended: cancelled',
    ]);
    assert.equal(rows[1]?.attributes?.['unanswered'], 't1');
  });

  it('tells a call to another session without repeating its prompt as a person’s', () => {
    const start = { subSessionId: 'sess_2', subAgentName: 'reviewer', prompt: 'review' };
    const rows = v3([
      message('s1', 'sub_agent_start', start),
      message('s2', 'sub_agent_complete', { subSessionId: 'sess_2', response: 'fine' }),
      message('u1', 'user', { content: 'review', source: 'api' }),
    ]);

    assert.deepEqual(said(rows), ['tool_use: review', 'tool_result: fine', 'prompt.automatic: review']);
    assert.equal(rows[0]?.attributes?.['sub_session_id'], 'sess_2');
  });

  it('keeps what a summary replaces', () => {
    const rows = v3([
      message('u1', 'user', { content: 'one' }),
      message('t1', 'tombstone', { kind: 'summarization', metadata: { truncatedMessageCount: 3 } }),
      message('a1', 'assistant', { operationType: 'Summary', content: 'Earlier: one.' }),
      message('t2', 'tombstone', { kind: 'checkpoint_revert' }),
    ]);

    assert.deepEqual(said(rows), [
      'user: one',
      'session.history_replaced: history replaced: summarization, 3 messages',
      'assistant: Earlier: one.',
      'session.rewound: session rewound: checkpoint_revert',
    ]);
  });

  describe('the start of a session', () => {
    const start = (content: string, forcedRole = false) =>
      message('s1', 'session_start', { agentType: 'vibe', forcedRole, content });
    const reply = message('a1', 'assistant', { content: 'Yes.' });

    it('holds the prompt where an answer follows and no prompt does', () => {
      assert.deepEqual(said(v3([start('build it'), reply])).slice(1), ['user: build it', 'assistant: Yes.']);
    });

    it('is a mark only beside a prompt, when forced, or when it is a system prompt', () => {
      const user = message('u1', 'user', { content: 'hello' });
      const logs = [
        [start('build it'), user, reply],
        [user, reply, start('build it')],
        [start('x', true), reply],
        [start('You are an agent'), reply],
      ];

      for (const records of logs)
        assert.ok(!said(v3(records)).includes('user: build it') && !said(v3(records)).includes('user: x'));
    });
  });

  it('tells kinds that it does not know, and complains of what is no record', () => {
    const rows = v3([message('n1', 'novel'), { nothing: true }]);

    assert.deepEqual(said(rows), [
      'session.other: record of an unknown kind: novel',
      'parser.error: parser: unparseable line (not a session record): {"nothing":true}',
    ]);
  });

  it('gives the messages of a converted session under the ids of the second engine', () => {
    const twin = parseHome(kiroCli, join(FIXTURES, 'converted-twin/home'));
    const turns = twin.filter(({ turn_type }) => turn_type !== 'system');

    assert.deepEqual(turns.map(({ turn_type, text }) => [turn_type, text]).toSorted(), [
      ['assistant', 'That is blocked by policy.'],
      ['tool_result', '[error] Tool use was cancelled by the user'],
      ['tool_use', '{"command":"rm -rf .cache"}'],
      ['user', 'delete the cache directory'],
    ]);
    assert.deepEqual(
      eventRows(twin, 'session.migrated').map(({ text }) => text),
      [
        'session migrated: 6b6b6b6b-0000-4000-8000-000000000002 -> cli_6b6b6b6b-0000-4000-8000-000000000002_uHORXqEL',
        'session migrated: database conversation 6b6b6b6b-0000-4000-8000-000000000002 -> session files',
      ],
    );
  });

  it('gives every row of the samples another id', () => {
    const rows = parseHome(kiroCli, join(FIXTURES, 'v3-samples/home'));

    assert.equal(new Set(rows.map(idOf)).size, rows.length);
  });

  it('leaves sessions of other forms to other sources, and names copies as they ask', () => {
    const moved = 'sessions/x/c0de0003-1111-4000-8000-000000000001/messages.jsonl';
    const [log] = sessionFiles({ forms: ['moved'], claimsOf: (session, id) => [`${session} ${id}`] });
    const line = Buffer.from(JSON.stringify(message('u1', 'user', { content: 'old' })));

    assert.ok(log);
    assert.ok(log.matches(moved) && !log.matches(V3_PATH));
    assert.ok(!kiroCli.files.some(({ matches }) => matches(moved)));
    assert.deepEqual(
      parseFile(log, line, fakeContext(moved))[0]?.claims?.at(-1),
      'c0de0003-1111-4000-8000-000000000001 u1',
    );
  });
});
