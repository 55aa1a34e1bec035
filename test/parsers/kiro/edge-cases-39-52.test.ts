import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DraftRow } from '../../../agent/contract/row.ts';
import { kiroCli } from '../../../parsers/kiro-cli/index.ts';
import { kiroIde } from '../../../parsers/kiro-ide/index.ts';
import { timeOf } from '../../../parsers/shared/kiro/time.ts';
import { eventRows, type Json, message, parse, V3_ID, V3_PATH, versions } from '../kiro-cli/support.ts';
import * as ide from '../kiro-ide/support.ts';
import * as v1 from '../shared/conversation/support.ts';
import { FILE_TIME, parseHome } from '../support.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const SAMPLES = parseHome(kiroCli, join(FIXTURES, 'kiro-cli/v3-samples/home'));
const SAMPLE = 'sess_7c7c7c7c-0000-4000-8000-00000000000';
const inSession = (id: string) => SAMPLES.filter(({ session_id }) => session_id === id);
const ofCall = (id: string) => SAMPLES.filter(({ tool_use_id }) => tool_use_id === id);
const kinds = (rows: readonly DraftRow[]) => rows.map(({ turn_type, event }) => event ?? turn_type);
const v3 = (...records: readonly Json[]) => parse(records, V3_PATH);
const fileOf = (path: string, source = kiroCli) => source.files.find(({ matches }) => matches(path))?.name;

/** The reference's edge cases of the third engine and of Kiro IDE, by its numbers. */
describe('parsers/kiro edge cases, third engine and IDE', () => {
  it('39: a question that was answered with no is a refusal, with the call, the question and how long it took', () => {
    const [asked, decided, ...more] = eventRows(ofCall('tooluse_v2'), 'permission.decision');

    assert.deepEqual(more, []);
    assert.equal(asked?.attributes?.['decision'], 'awaiting_approval');
    assert.equal(asked?.attributes?.['options'], 'accept,always-accept,reject,always-reject');
    assert.deepEqual(
      [
        decided?.attributes?.['decision'],
        decided?.attributes?.['question'],
        decided?.attributes?.['latency_ms'],
      ],
      ['user_denied', 'Run command: rm -rf build', 12_000],
    );
  });

  it('40: an answer for good is a standing event that names the file with the rule, and no second trust-all', () => {
    const decided = eventRows(ofCall('tooluse_v3'), 'permission.decision').at(-1);
    const question = (id: string) =>
      message(`p-${id}`, 'pending_interaction', { toolCallId: id, question: 'x' });
    const answered = (id: string, selectedOption: string) =>
      message(`r-${id}`, 'interaction_resolved', { toolCallId: id, outcome: 'selected', selectedOption });
    const never = v3(question('t1'), answered('t1', 'always-reject')).at(-1);

    assert.deepEqual(
      [
        decided?.attributes?.['standing'],
        decided?.attributes?.['standing_file'],
        decided?.attributes?.['latency_ms'],
      ],
      ['allow', 'permissions.yaml', 4_000],
    );
    assert.equal(decided?.attributes?.['trust_all'], undefined);
    assert.deepEqual(
      [never?.attributes?.['standing'], never?.attributes?.['standing_file']],
      ['deny', 'permissions.yaml'],
    );
    const rules = SAMPLES.filter(({ source_file }) =>
      source_file.endsWith(`/${decided?.attributes?.['standing_file']}`),
    );
    assert.ok(rules.length > 0 && rules.every(({ event }) => event === 'permission.setting'));
  });

  it('41: a question that nobody answered before the turn was cancelled is no refusal', () => {
    const rows = inSession(`${SAMPLE}1`);
    const [ended] = eventRows(rows, 'session.turn');

    assert.deepEqual(
      [ended?.text, ended?.attributes?.['unanswered']],
      ['turn ended: cancelled', 'tooluse_v4'],
    );
    assert.deepEqual(
      eventRows(ofCall('tooluse_v4'), 'permission.decision').map(
        ({ attributes }) => attributes?.['decision'],
      ),
      ['awaiting_approval'],
    );
  });

  it('41: what is typed while a question is open says so', () => {
    const question = message('p1', 'pending_interaction', { toolCallId: 't1', question: 'Run?' });
    const words = (id: string) => message(id, 'user', { content: id, source: 'chat' });
    const done = message('e1', 'turn_end', { stopReason: 'cancelled' });

    const users = v3(question, words('wait'), done, words('later')).filter(
      ({ turn_type }) => turn_type === 'user',
    );

    assert.deepEqual(
      users.map(({ text, attributes }) => [
        text,
        attributes?.['typed_while'],
        attributes?.['open_questions'],
      ]),
      [
        ['wait', 'question_open', 't1'],
        ['later', undefined, undefined],
      ],
    );
  });

  it('42: two records of one call are one call', () => {
    const tool = (status: string) =>
      message(`t1-${status}`, 'tool_call', { toolCallId: 't1', toolName: 'shell', args: {}, status });

    assert.deepEqual(kinds(v3(tool('pending'), tool('executing'), tool('completed'))), ['tool_use']);
  });

  it('43: sessions of every form are read, staged ones are not, and a converted one repeats nothing', () => {
    const moved = '8d8d8d8d-0000-4000-8000-000000000001';
    const bucket = 'sessions/2af6b4a70d443ffd';
    const twin = parseHome(kiroCli, join(FIXTURES, 'kiro-cli/converted-twin/home'));

    assert.equal(fileOf(`${bucket}/cli_${moved}_uHORXqEL/messages.jsonl`), 'v3-messages');
    assert.equal(fileOf(`${bucket}/${moved}/messages.jsonl`, kiroIde), 'v3-messages');
    assert.equal(fileOf(`sessions/_global/${V3_ID}/messages.jsonl`), 'v3-messages');
    assert.equal(fileOf(`sessions/.staging-cli_${moved}_x-1/session.json`), undefined);
    assert.ok(inSession(`${SAMPLE}3`).length > 0);
    const [v2, converted] = [false, true].map((isTwin) =>
      twin.filter(({ session_id }) => session_id?.startsWith('cli_') === isTwin),
    );
    assert.deepEqual(kinds(converted ?? []), ['session.start', 'session.migrated']);
    assert.deepEqual(
      v2?.filter(({ turn_type }) => turn_type !== 'system').map(({ turn_type }) => turn_type),
      ['user', 'tool_use', 'tool_result', 'assistant'],
    );
  });

  it('43: where the files before a conversion are gone its records are what is left, and what was said since is live', () => {
    const id = 'cli_6b6b6b6b-0000-4000-8000-000000000002_uHORXqEL';
    const said = message('k4-text-0', 'assistant', { content: 'Blocked.' }, 30);
    const records = [
      message('e1', 'user', { content: 'before' }),
      said,
      message('n1', 'user', { content: 'since' }, 40),
      message('n2', 'assistant', { content: 'Yes.' }, 41),
    ];

    const rows = parse(records, `sessions/2af6b4a70d443ffd/${id}/messages.jsonl`);

    assert.deepEqual(
      rows.map(({ text, copyOf }) => [text, copyOf !== undefined]),
      [
        ['before', true],
        ['Blocked.', true],
        ['since', false],
        ['Yes.', false],
      ],
    );
  });

  it('44: a start of the session that stands last with a text is a mark only', () => {
    const [start, ...more] = eventRows(inSession(`${SAMPLE}1`), 'session.start').filter(
      ({ attributes }) => attributes?.['agent_type'] !== undefined,
    );

    assert.deepEqual(more, []);
    assert.equal(start?.attributes?.['chars'], '(system prompt elided)'.length);
    assert.ok(!SAMPLES.some(({ text }) => text.includes('elided')));
  });

  it('45: a tombstone and the summary after it are rows, and what they cover keeps its own', () => {
    const rows = inSession(`${SAMPLE}1`);
    const summary = rows.find(({ attributes }) => attributes?.['operation'] === 'summary');

    assert.deepEqual(
      eventRows(rows, 'session.history_replaced').map(({ text }) => text),
      ['history replaced: summarization, 18 messages'],
    );
    assert.deepEqual(
      [summary?.turn_type, summary?.text],
      ['assistant', 'Earlier: the repo was listed, a delete was rejected.'],
    );
    assert.ok(rows.some(({ turn_type, text }) => turn_type === 'user' && text === 'tidy the repo'));
  });

  it('46: a subagent is a call and a result of its parent; its session names the parent and no human prompt', () => {
    const child = inSession(`${SAMPLE}2`);

    assert.deepEqual(kinds(ofCall(`${SAMPLE}2`)), ['tool_use', 'tool_result']);
    assert.deepEqual(
      eventRows(child, 'session.origin').map(({ attributes }) => attributes?.['parent_session_id']),
      [`${SAMPLE}1`],
    );
    assert.deepEqual(
      child
        .filter(({ text }) => text === 'review the diff')
        .map(({ turn_type, event }) => event ?? turn_type),
      ['prompt.automatic'],
    );
  });

  it('47: a rule that allows everything in a workspace is trust-all, with the project that is noted beside it', () => {
    const found = SAMPLES.filter(
      ({ source_file, attributes }) =>
        source_file.includes('workspace-roots/') && attributes?.['trust_all'] === true,
    );
    const [unresolved] = parse(
      'rules: [{capability: all, effect: allow}]\n',
      'workspace-roots/ab12/permissions.yaml',
      {
        project: () => undefined,
      },
    );

    assert.deepEqual(
      found.map(({ project_path, attributes }) => [project_path, attributes?.['capability']]),
      [['/home/alice/proj', 'all']],
    );
    assert.deepEqual([unresolved?.project_path, unresolved?.attributes?.['workspace']], [null, 'ab12']);
  });

  it('48: autopilot that is switched on is one trust event for each time', () => {
    const path = `sessions/2af6b4a70d443ffd/${V3_ID}/session.json`;
    const states = [false, true, true, false, true].map((autopilot) => JSON.stringify({ autopilot }));

    const trusted = versions(path, states).map(
      (rows) => rows.filter(({ attributes }) => attributes?.['trust_all'] === true).length,
    );

    assert.deepEqual(trusted, [0, 1, 0, 0, 1]);
  });

  it('49: a stub gives the words of its execution, or a row that says that they are missing', () => {
    const stub = ide.parse(
      ide.SESSION_PATH,
      ide.session([ide.user('1', 'hi'), ide.assistant('2', 'On it.', ide.EXECUTION)]),
    ).rows;
    const ran = ide.parse(
      ide.EXECUTION_PATH,
      ide.execution([ide.action('x', 'say', { output: { message: 'All done.' } })]),
    ).rows;

    assert.deepEqual(ide.left([...stub, ...ran]), ['user: hi', 'assistant: All done.']);
    assert.deepEqual(ide.left(stub), ['user: hi', 'assistant: On it.']);
    assert.equal(stub.find(({ text }) => text === 'On it.')?.attributes?.['incomplete'], true);
  });

  it('50: instructions before a chat are dropped, and the wrapper of a prompt is taken off', () => {
    const { rows } = ide.parse(ide.CHAT_PATH, {
      executionId: ide.EXECUTION,
      chat: [
        { role: 'human', content: '<identity>\nYou are\n</identity>' },
        { role: 'bot', content: 'I will follow these instructions.' },
        { role: 'human', content: '<kiro-ide-message>hello</kiro-ide-message>' },
        { role: 'bot', content: 'Hi.' },
      ],
      metadata: { startTime: ide.START_MS },
    });

    assert.deepEqual(ide.left(rows), ['user: hello', 'assistant: Hi.']);
  });

  it('51: a session without times has those of its executions, else that of the file', () => {
    const files = {
      [ide.METADATA_PATH]: { executions: [{ executionId: ide.EXECUTION, startTime: ide.START_MS }] },
    };
    const history = [
      ide.user('1', 'known'),
      ide.assistant('2', 'On it.', ide.EXECUTION),
      ide.user('3', 'not yet'),
    ];
    const { rows } = ide.parse(ide.SESSION_PATH, ide.session(history), { files });

    assert.deepEqual(
      rows
        .filter(({ turn_type }) => turn_type === 'user')
        .map((row) => [row.timestamp_utc, row.timestamp_source]),
      [
        [ide.START, 'derived'],
        [FILE_TIME, 'file'],
      ],
    );
  });

  it('52: every form of a time gives UTC in milliseconds, and what that leaves out is kept beside it', () => {
    const utc = '2026-10-01T08:00:00.123Z';
    const forms = [
      1_790_841_600_123,
      '1790841600123',
      utc,
      '2026-10-01T10:00:00.123+02:00',
      '2026-10-01T08:00:00.123456789Z',
    ];

    assert.deepEqual(new Set(forms.map((form) => timeOf(form).utc)), new Set([utc]));
    assert.equal(timeOf(1_790_841_600).utc, '2026-10-01T08:00:00.000Z');
    const [, user] = v1.tell(v1.state([v1.turn(1, 'hi')])).rows;
    assert.deepEqual(
      [user?.timestamp_utc, user?.attributes?.['time_original']],
      ['2026-10-01T09:01:00.123Z', '2026-10-01T11:01:00.123456789+02:00'],
    );
  });
});
