import assert from 'node:assert/strict';
import { hash32 } from '../../../parsers/kiro-ide/workspace.ts';
import {
  CHAT_PATH,
  copies,
  EXECUTION,
  eventsOf,
  executionPath,
  FOLDER,
  idOf,
  left,
  parse,
  SESSION_PATH,
  START,
  START_MS,
  said,
  session,
} from './support.ts';

const PREAMBLE = [
  { role: 'human', content: '<identity>\nYou are\n</identity>' },
  { role: 'bot', content: 'I will follow these instructions.' },
];

describe('parsers/kiro-ide/chat', () => {
  it('drops the instructions and their fixed answer, and unwraps what was typed', () => {
    const { rows } = parse(
      CHAT_PATH,
      chat([
        ...PREAMBLE,
        human('<kiro-ide-message>hello</kiro-ide-message>'),
        bot('Hi.'),
        { role: 'tool', content: 'ok' },
      ]),
    );

    assert.deepEqual(said(rows), [
      'model.set: model: auto',
      'user: hello',
      'assistant: Hi.',
      'tool_result: ok',
    ]);
  });

  it('keeps the fixed words where a model really said them', () => {
    const { rows } = parse(CHAT_PATH, chat([human('will you?'), bot('I will follow these instructions.')]));

    assert.deepEqual(left(rows), ['user: will you?', 'assistant: I will follow these instructions.']);
  });

  for (const start of ['# System Prompt\nx', '## Included Rules\nx', '<key_kiro_features>x', '  <rules>x']) {
    it(`takes ${JSON.stringify(start)} for instructions`, () => {
      assert.deepEqual(left(parse(CHAT_PATH, chat([human(start), human('mine')])).rows), ['user: mine']);
    });
  }

  it('has the times of the file, in whichever form', () => {
    for (const startTime of [START_MS, START_MS / 1000, START]) {
      const { rows } = parse(CHAT_PATH, { ...chat([human('a')]), metadata: { startTime } });

      assert.deepEqual(
        rows.map(({ timestamp_utc }) => timestamp_utc),
        [START, START],
      );
    }
  });

  it('tells two snapshots of one execution once', () => {
    const turns = [human('a'), bot('b'), human('a')];
    const first = parse(CHAT_PATH, chat(turns.slice(0, 2))).rows;
    const second = parse(`${FOLDER}/${hash32('later')}.chat`, chat([...turns.slice(0, 2), bot('c')])).rows;

    const ids = new Set(second.map(idOf));
    for (const row of first) assert.ok(ids.has(idOf(row)), row.text);
  });

  it('leaves what an earlier execution already told to its own file', () => {
    const first = parse(CHAT_PATH, chat([human('a'), bot('b')])).rows;
    const second = parse(
      `${FOLDER}/${hash32('later')}.chat`,
      chat([human('a'), bot('b'), human('c'), bot('b')], 'second'),
    ).rows;

    assert.deepEqual(left([...first, ...second]), ['user: a', 'assistant: b', 'user: c', 'assistant: b']);
    assert.deepEqual(left(second).slice(0, 2), ['user: a', 'assistant: b']);
  });

  it('is a copy where sessions or executions are kept, and the only one where they are gone', () => {
    const content = chat([human('a'), bot('b')]);
    const bySession = parse(CHAT_PATH, content, { files: { [SESSION_PATH]: session([]) } }).rows;
    const byExecution = parse(CHAT_PATH, content, { files: { [executionPath('other')]: '' } }).rows;

    for (const rows of [bySession, byExecution]) {
      assert.deepEqual(copies(rows), ['user: a', 'assistant: b']);
      assert.deepEqual(left(rows), ['user: a', 'assistant: b']);
    }
  });

  it('is no session of its own where the execution has a file', () => {
    const files = { [executionPath(EXECUTION)]: '' };

    assert.deepEqual(eventsOf(parse(CHAT_PATH, chat([human('a')]), { files }).rows, 'session.start'), []);
  });

  it('tells apart what the editor added', () => {
    const { rows } = parse(CHAT_PATH, chat([human('why?<EnvironmentContext>open</EnvironmentContext>')]));

    assert.deepEqual(said(rows).slice(1), [
      'session.editor_context: <EnvironmentContext>open</EnvironmentContext>',
      'user: why?',
    ]);
  });

  it('counts a file that is no chat', () => {
    for (const content of [{}, { executionId: 'x' }, { chat: [] }])
      assert.equal(parse(CHAT_PATH, content).context.notes.get('unknown_record'), 1);
  });
});

function chat(turns: readonly unknown[], executionId = EXECUTION) {
  return { executionId, chat: turns, metadata: { modelId: 'auto', startTime: START_MS } };
}

function human(content: string) {
  return { role: 'human', content };
}

function bot(content: string) {
  return { role: 'bot', content };
}
