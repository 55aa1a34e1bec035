import assert from 'node:assert/strict';
import {
  assistant,
  copies,
  EXECUTION,
  eventsOf,
  idOf,
  left,
  METADATA_PATH,
  memoryIn,
  PROJECT,
  parse,
  SESSION,
  SESSION_PATH,
  START,
  START_MS,
  said,
  session,
  user,
  WORKSPACE,
} from './support.ts';

describe('parsers/kiro-ide/session', () => {
  it('gives prompts and answers in order, with session and project', () => {
    const { rows } = parse(SESSION_PATH, session([user('1', 'hi'), assistant('2', 'hello')]));

    assert.deepEqual(said(rows), ['user: hi', 'assistant: hello']);
    for (const row of rows) assert.deepEqual([row.session_id, row.project_path], [SESSION, PROJECT]);
  });

  it('names a message by its id, wherever it stands', () => {
    const early = parse(SESSION_PATH, session([user('1', 'a'), user('2', 'b')])).rows;
    const late = parse(SESSION_PATH, session([user('2', 'b')])).rows;

    assert.equal(idOf(late.at(-1)!), idOf(early.at(-1)!));
  });

  it('counts the same words without an id, from the first on', () => {
    const entry = { message: { role: 'user', content: 'again' } };
    const two = parse(SESSION_PATH, session([entry, entry])).rows.filter(
      ({ turn_type }) => turn_type === 'user',
    );
    const one = parse(SESSION_PATH, session([user('x', 'before'), entry])).rows.at(-1)!;

    assert.equal(new Set(two.map(idOf)).size, 2);
    assert.equal(idOf(one), idOf(two[0]!));
  });

  it('trusts the session before the list, and the list before the name of the directory', () => {
    const list = {
      [`${WORKSPACE}/sessions.json`]: [{ sessionId: SESSION, workspaceDirectory: '/srv/list' }],
    };
    const bare = { sessionId: SESSION, history: [user('1', 'hi')] };
    const projectOf = (content: unknown, files = {}) =>
      parse(SESSION_PATH, content, { files }).rows[0]?.project_path;

    assert.equal(projectOf(session([]), list), PROJECT);
    assert.equal(projectOf(bare, list), '/srv/list');
    assert.equal(projectOf(bare), PROJECT);
  });

  it('takes the file for the session when the file does not say which one it is', () => {
    const { rows } = parse(SESSION_PATH, { history: [user('1', 'hi')] });

    assert.equal(rows.at(-1)?.session_id, SESSION);
  });

  it('has the time of the execution that answers, else that of the file', () => {
    const files = { [METADATA_PATH]: { executions: [{ executionId: EXECUTION, startTime: START_MS }] } };
    const { rows } = parse(
      SESSION_PATH,
      session([user('1', 'known'), assistant('2', 'On it.', EXECUTION), user('3', 'not yet')]),
      { files },
    );

    const times = rows.filter(({ turn_type }) => turn_type === 'user').map((row) => row.timestamp_utc);
    assert.deepEqual(times, [START, '2026-12-01T00:00:00.000Z']);
    assert.deepEqual(
      rows.filter(({ turn_type }) => turn_type === 'user').map((row) => row.timestamp_source),
      ['derived', 'file'],
    );
  });

  it('tells when the session was made, as its list says', () => {
    const files = { [`${WORKSPACE}/sessions.json`]: [{ sessionId: SESSION, dateCreated: String(START_MS) }] };

    const [start] = eventsOf(parse(SESSION_PATH, session([]), { files }).rows, 'session.start');

    assert.deepEqual([start?.timestamp_utc, start?.timestamp_source], [START, 'record']);
  });

  it('keeps a stub back for the execution that it stands for', () => {
    const { rows } = parse(SESSION_PATH, session([user('1', 'do it'), assistant('2', 'On it.', EXECUTION)]));

    assert.deepEqual(said(rows), ['user: do it']);
    assert.deepEqual(copies(rows), ['assistant: On it.']);
    assert.deepEqual(rows.at(-1)?.attributes, { execution_id: EXECUTION, incomplete: true });
  });

  it('takes the answer out of the log of the prompt where only that has it', () => {
    const entry = { ...assistant('2', 'On it.', EXECUTION), promptLogs: [{ completion: 'Done so.' }, {}] };

    assert.deepEqual(copies(parse(SESSION_PATH, session([entry])).rows), ['assistant: Done so.']);
  });

  it('shows an image by its kind and size, and a mention by its name', () => {
    const content = [
      { type: 'text', text: 'look' },
      { type: 'imageUrl', imageUrl: { url: 'data:image/png;base64,AAAA' } },
      { type: 'imageUrl', imageUrl: 'https://example.com/a.png?sig=secret' },
      { type: 'mention', name: 'cart.ts' },
    ];

    assert.deepEqual(said(parse(SESSION_PATH, session([user('1', content)])).rows), [
      'user: look\n[image png, 3 bytes]\n[image]\n[mention cart.ts]',
    ]);
  });

  it('tells apart what was typed and what the editor added', () => {
    const { rows } = parse(
      SESSION_PATH,
      session([
        user('1', 'why?\n<EnvironmentContext>open: a.ts</EnvironmentContext>', {
          contextItems: [{ uri: { value: 'file:///srv/b.ts' }, content: 'secret' }, { nothing: 1 }],
        }),
      ]),
    );

    assert.deepEqual(said(rows), [
      'user: why?',
      'session.editor_context: <EnvironmentContext>open: a.ts</EnvironmentContext>',
      'session.editor_context: context: file:///srv/b.ts',
    ]);
  });

  it('says that entries were lost, once, and gives back nothing', () => {
    const five = session(['1', '2', '3', '4', '5'].map((id) => user(id, `text ${id}`)));
    const two = session([user('1', 'text 1'), user('2', 'text 2')]);
    const before = parse(SESSION_PATH, five);
    const after = parse(SESSION_PATH, two, { memory: memoryIn(before) });
    const later = parse(SESSION_PATH, two, { memory: memoryIn(after) });

    const [loss] = eventsOf(after.rows, 'session.history_replaced');
    assert.equal(loss?.text, 'history shrunk: 3 of 5 entries gone, 2 now');
    assert.deepEqual(loss?.attributes, {
      entries_before: 5,
      entries_now: 2,
      entries_gone: 3,
      kind: 'shrunk',
    });
    assert.deepEqual(eventsOf(later.rows, 'session.history_replaced'), []);
  });

  it('says that entries were replaced although there are as many', () => {
    const memory = memoryIn(parse(SESSION_PATH, session([user('1', 'a'), user('2', 'b')])));

    const { rows } = parse(SESSION_PATH, session([user('1', 'a'), user('9', 'c')]), { memory });

    assert.equal(eventsOf(rows, 'session.history_replaced')[0]?.attributes?.['kind'], 'replaced');
  });

  it('says nothing of a loss when a history grows, however long it is', () => {
    const many = Array.from({ length: 3_000 }, (_, n) => user(String(n), `text ${n}`));
    const first = parse(SESSION_PATH, session(many));
    const memory = memoryIn(first);

    const { rows } = parse(SESSION_PATH, session([...many, user('new', 'new')]), { memory });

    assert.ok((memory ?? '').length < 4_096);
    assert.deepEqual(eventsOf(rows, 'session.history_replaced'), []);
  });

  it('takes a cut file for no loss', () => {
    const memory = memoryIn(parse(SESSION_PATH, session([user('1', 'a'), user('2', 'b')])));
    const cut = JSON.stringify(session([user('1', 'a'), user('2', 'b')])).slice(0, -20);

    const { rows, result } = parse(SESSION_PATH, cut, { memory });

    assert.equal(result, 'parsed');
    assert.deepEqual(said(rows).slice(0, 1), ['user: a']);
    assert.deepEqual(eventsOf(rows, 'session.history_replaced'), []);
    assert.equal(eventsOf(rows, 'parser.error').length, 1);
  });

  it('waits for the rest of a cut file first', () => {
    const cut = JSON.stringify(session([user('1', 'a')])).slice(0, -3);

    const { rows, result } = parse(SESSION_PATH, cut, { settled: false });

    assert.deepEqual([result, rows.length], ['torn', 0]);
  });

  it('tells each choice of a model or a mode once, also the one that was there before', () => {
    const rows = [];
    let memory: string | undefined;
    for (const [selectedModel, autonomyMode] of [
      ['a', 'full'],
      ['a', 'full'],
      ['b', 'full'],
      ['b', 'supervised'],
      ['a', 'supervised'],
      ['a', 'full'],
    ]) {
      const parsed = parse(SESSION_PATH, session([], { selectedModel, autonomyMode }), { memory });
      memory = memoryIn(parsed);
      rows.push(...parsed.rows);
    }
    const choices = rows.filter(({ event }) => event?.startsWith('model.') || event === 'permission.mode');

    assert.deepEqual(
      choices.map(({ text }) => text),
      [
        'model: a',
        'permission mode: full',
        'model: a -> b',
        'permission mode: supervised',
        'model: b -> a',
        'permission mode: full',
      ],
    );
    assert.equal(new Set(choices.map(idOf)).size, choices.length);
    assert.deepEqual(
      choices.map(({ attributes }) => attributes?.['trust_all'] ?? false),
      [false, true, false, false, false, true],
    );
  });

  it('leaves messages that were copied into the newer store to that, where it has them', () => {
    const mark = `${WORKSPACE}/.migrated-${SESSION}.json`;
    const files = { [mark]: { sessionId: SESSION, migratedAt: START } };

    const { rows } = parse(SESSION_PATH, session([user('h1', 'old'), assistant('h2', 'older')]), { files });

    assert.deepEqual(copies(rows), ['user: old', 'assistant: older']);
    assert.deepEqual(
      rows.flatMap(({ copyOf }) => copyOf ?? []),
      [`message ${SESSION} h1`, `message ${SESSION} h2`],
    );
  });

  it('reads what a person repaired with another encoding', () => {
    const text = JSON.stringify(session([user('1', 'grüße')]));
    const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    const big = Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);
    const plain = parse(SESSION_PATH, text).rows;

    for (const bytes of [little, big, Buffer.from(`\ufeff${text}`)])
      assert.deepEqual(parse(SESSION_PATH, bytes).rows, plain);
  });

  it('takes a file that is no session for none', () => {
    const { rows, context } = parse(SESSION_PATH, { name: 'else' });

    assert.deepEqual(rows, []);
    assert.equal(context.notes.get('unknown_record'), 1);
  });

  it('survives any shape of an entry', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const calls = { message: { role: 'assistant', toolCalls: [{ function: { arguments: 'DEEP' } }] } };
    const history = [null, 1, [], {}, { message: 3 }, calls, user('1', 'after')];

    const { rows } = parse(SESSION_PATH, JSON.stringify(session(history)).replace('"DEEP"', deep));

    assert.deepEqual(left(rows), ['user: after']);
    assert.equal(eventsOf(rows, 'parser.error').length, 1);
  });
});
