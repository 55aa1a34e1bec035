import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DraftRow } from '../../../agent/contract/row.ts';
import { geminiCli } from '../../../parsers/gemini-cli/index.ts';
import { draftId, parseLog } from '../support.ts';
import {
  answer,
  asked,
  at,
  brief,
  call,
  context,
  contextFor,
  gemini,
  header,
  type Json,
  linesOf,
  messages,
  notice,
  one,
  only,
  PROJECT,
  rowsOf,
  SESSION_ID,
  said,
  sessionSpec,
  set,
  textOf,
  user,
} from './support.ts';

/** A session that has a bit of everything. */
const SAMPLE: readonly Json[] = [
  header(),
  messages(context('ctx')),
  user('u1', 'größer 🙂 prompt'),
  set({ lastUpdated: at('09:00:05') }),
  gemini('g1', 'Reading.', {
    thoughts: [{ subject: 'Plan', description: 'Read.', timestamp: at('09:00:05') }],
  }),
  gemini('g1', 'Reading.', {
    toolCalls: [call('c1', 'read_file'), call('c2', 'glob', { status: 'cancelled' })],
  }),
  user('r1', [answer('c1', 'read_file', { output: 'done' })]),
  notice('i1', 'info', 'Request cancelled.'),
  gemini('g2', 'Done.', { model: 'gemini-3-flash' }),
  { $rewindTo: 'g2' },
  messages(context('ctx'), user('u1', 'größer 🙂 prompt'), user('u5', 'only here')),
  { $patch: { id: 'g1', toolCalls: [{ id: 'c1', result: null }] } },
  set({ summary: 'A sample.', directories: ['/home/alice/proj', '/home/alice/lib'] }),
];

describe('parsers/gemini-cli/session', () => {
  it('fills the columns of a row from its session, its project and its line', () => {
    const rows = rowsOf([header(), user('u1', 'hi')]);

    const { claims, ...row } = one(rows, 'user');
    assert.equal(claims?.length, 4);
    assert.deepEqual(
      { ...row },
      {
        record: 'u1',
        part: 'text',
        sessionKey: 'c0de0001',
        content: 'hi',
        turn_type: 'user',
        text: 'hi',
        timestamp_utc: at('09:00:05'),
        timestamp_source: 'record',
        session_id: SESSION_ID,
        project_path: PROJECT,
        model: null,
        tool_name: null,
        tool_use_id: null,
        event: null,
        attributes: {},
        source_line: 2,
      },
    );
  });

  it('shows the recorded hash as the project when no path is known for it', () => {
    const rows = rowsOf([header(), user('u1', 'hi')], { given: { project: () => undefined } });

    assert.equal(one(rows, 'user').project_path, header()['projectHash']);
  });

  it('asks again for a project that was not known at first', () => {
    let known: string | undefined;
    const rows: DraftRow[] = [];
    const parser = sessionSpec.open(contextFor({ given: { project: () => known } }));
    const feed = (record: Json, line: number) =>
      parser.line(Buffer.from(textOf(record)), line, (row) => void rows.push(row));

    feed(header(), 1);
    known = PROJECT;
    for (let line = 2; line < 8; line++) feed(user(`u${line}`, 'hi'), line);

    assert.equal(rows[0]?.project_path, header()['projectHash']);
    assert.equal(rows.at(-1)?.project_path, PROJECT);
  });

  it('tells the session id for the cursor once it is known', () => {
    const parser = sessionSpec.open(contextFor());

    const before = parser.session();
    parser.line(Buffer.from(textOf(header())), 1, () => {});

    assert.equal(before, undefined);
    assert.equal(parser.session(), SESSION_ID);
  });

  it('keeps the messages of a file whose header is cut', () => {
    const rows = rowsOf([textOf(header()).slice(0, 40), user('u1', 'keep me'), gemini('g1', 'kept')]);

    assert.deepEqual(rows.map(brief), [
      `parser.error: parser: unparseable line (not valid JSON): ${textOf(header()).slice(0, 40)}`,
      'user: keep me',
      'model.set: model: gemini-3-pro',
      'assistant: kept',
    ]);
    assert.deepEqual(new Set(rows.map(({ session_id }) => session_id)), new Set(['c0de0001']));
  });

  it('passes over lines that only say when the session was last updated, and over nothing else', () => {
    const touch = textOf(set({ lastUpdated: at('09:00:05') }));
    const alike = '{"$set":{"lastUpdated":"","summary":"eleven char"}}';
    const context = contextFor();

    const rows = parseLog(sessionSpec, linesOf([header(), touch, alike]), context);

    assert.equal(touch.length, alike.length);
    assert.deepEqual(said(rows), ['session.summary: eleven char']);
    assert.equal(context.notes.size, 0);
  });

  it('reads lines that end in CRLF and a file that starts with a byte order mark', () => {
    const plain = linesOf(SAMPLE);
    const windows = Buffer.from(`\ufeff${plain.toString().replaceAll('\n', '\r\n')}`);

    const rows = parseLog(sessionSpec, windows, contextFor());

    assert.deepEqual(rows, parseLog(sessionSpec, plain, contextFor()));
  });

  it('marks the rows of a record that was not valid UTF-8', () => {
    const line = Buffer.from(textOf(user('u1', 'caf\u00e9')), 'latin1');
    const bytes = Buffer.concat([linesOf([header()]), line, Buffer.from('\n')]);

    const row = one(parseLog(sessionSpec, bytes, contextFor()), 'user');

    assert.equal(row.text, 'caf\ufffd');
    assert.equal(row.attributes?.['encoding'], 'lossy');
    assert.match(String(row.attributes?.['raw_sha256']), /^[0-9a-f]{64}$/);
  });

  it('recovers records that were glued onto one line', () => {
    const glued = `${textOf(user('u1', 'a "}{" inside'))}${textOf(gemini('g1', 'both'))}`;

    const rows = rowsOf([header(), glued, user('u2', 'next')]);

    assert.deepEqual(said(rows), ['user: a "}{" inside', 'assistant: both', 'user: next']);
    assert.deepEqual(
      only(rows, 'assistant').map(({ source_line }) => source_line),
      [2],
    );
  });

  it('reports a run of NUL bytes and reads on', () => {
    const rows = rowsOf([header(), '\0'.repeat(300), `\0\0${textOf(user('u1', 'after'))}`]);

    assert.deepEqual(said(rows), [
      'parser.error: parser: unparseable line (300 NUL bytes)',
      'user: after',
      'parser.error: parser: unparseable line (2 NUL bytes)',
    ]);
  });

  it('gives the row of an unreadable line the same id wherever it stands', () => {
    const bad = '{"id":"x';

    const early = rowsOf([bad, header()]).filter(({ event }) => event === 'parser.error');
    const late = rowsOf([header(), user('u1', 'hi'), bad]).filter(({ event }) => event === 'parser.error');

    assert.deepEqual(
      early.map((row) => draftId(geminiCli, row)),
      late.map((row) => draftId(geminiCli, row)),
    );
  });

  it('says that a line is JSON but no record', () => {
    const rows = rowsOf([header(), '[1,2]', '"text"', '7', 'null']);

    assert.deepEqual(
      only(rows, 'parser.error').map(({ text }) => text),
      ['[1,2]', '"text"', '7', 'null'].map((text) => `parser: unparseable line (not a JSON object): ${text}`),
    );
  });

  it('counts records and facts that it does not know', () => {
    const context = contextFor();
    const records = [
      header(),
      { hello: 1 },
      { id: 'x', type: 'surprise' },
      set({ colour: 'blue' }),
      { id: 'y' },
    ];

    const rows = parseLog(sessionSpec, linesOf(records), context);

    assert.deepEqual(said(rows), []);
    assert.deepEqual(
      [...context.notes],
      [
        ['unknown_record', 3],
        ['unknown_set_key', 1],
      ],
    );
  });

  it('turns hostile shapes into rows and goes on', () => {
    const deep = `{"id":"g1","type":"gemini","content":"","toolCalls":[{"id":"c","name":"n","args":${'['.repeat(9000)}${']'.repeat(9000)}}]}`;
    const records = [
      header(),
      deep,
      { id: 7, type: 'user', content: { text: 'a number as id' } },
      { id: 'g2', type: 'gemini', content: 5, thoughts: {}, tokens: [], model: [], toolCalls: 'x' },
      { id: 'g3', type: 'gemini', content: [null, 4, []], toolCalls: [null, [], 4, { id: {}, name: [] }] },
      '{"id":"u9","type":"user","content":"proto","__proto__":{"type":"gemini"}}',
      set({ messages: [null, 3, 'x', { id: [] }, { type: 'user' }], directories: 'x', summary: 5 }),
      { $patch: { id: 'u9', toolCalls: 5, updates: 5, removeIds: {}, orderIds: [5] } },
      { $patch: [] },
    ];

    const rows = rowsOf(records);

    assert.match(one(rows, 'parser.error').text, /^parser: unparseable line \(nested too deeply\)/);
    assert.deepEqual(
      only(rows, 'user').map(({ record, text }) => [record, text]),
      [
        ['7', 'a number as id'],
        ['u9', 'proto'],
      ],
    );
  });

  it('does not let an error of the caller pass for a bad record', () => {
    const parser = sessionSpec.open(contextFor());

    const feed = () =>
      parser.line(Buffer.from(textOf(header())), 1, () => {
        throw new Error('full');
      });

    assert.throws(feed, /full/);
  });

  it('reads a whole last line once, also when its line feed comes later', () => {
    const rows: DraftRow[] = [];
    const parser = sessionSpec.open(contextFor());
    const last = Buffer.from(textOf({ $rewindTo: 'u1' }));
    const emit = (row: DraftRow) => void rows.push(row);

    parser.line(Buffer.from(textOf(user('u1', 'hi'))), 1, emit);
    parser.unfinished(last, 2, emit);
    parser.unfinished(last, 2, emit);
    parser.line(last, 2, emit);
    parser.line(last, 3, emit);

    assert.deepEqual(
      only(rows, 'session.rewound').map(({ content }) => content),
      ['u1#1', 'u1#2'],
    );
  });

  it('never gives a row that the whole file does not give, wherever the file is cut', () => {
    const bytes = linesOf(SAMPLE);
    const ids = new Set(parseLog(sessionSpec, bytes, contextFor()).map((row) => draftId(geminiCli, row)));

    for (let end = 0; end < bytes.length; end++) {
      const rows = parseLog(sessionSpec, bytes.subarray(0, end), contextFor());

      const strange = rows.filter((row) => row.event !== 'parser.error' && !ids.has(draftId(geminiCli, row)));
      assert.deepEqual(strange, [], `cut at byte ${end}`);
    }
  });

  it('gives the same rows in the same order for the same bytes, whole or line by line', () => {
    const bytes = linesOf(SAMPLE);

    const first = parseLog(sessionSpec, bytes, contextFor());
    const second = parseLog(sessionSpec, bytes, contextFor());

    assert.deepEqual(first, second);
    assert.equal(new Set(first.map((row) => draftId(geminiCli, row))).size, first.length);
  });

  it('adds only what is new when all records come a second time', () => {
    const once = rowsOf(SAMPLE);
    const twice = rowsOf([...SAMPLE, ...SAMPLE]);

    const ids = new Set(once.map((row) => draftId(geminiCli, row)));
    const more = twice.filter((row) => !ids.has(draftId(geminiCli, row)));
    assert.deepEqual(
      new Set(more.map(({ event }) => event)),
      new Set(['session.history_replaced', 'session.rewound']),
    );
  });

  it('survives any JSON in any field', () => {
    const record = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          id: fc.oneof(fc.constantFrom('a', 'b', 'a_response'), fc.jsonValue()),
          type: fc.oneof(fc.constantFrom('user', 'gemini', 'info'), fc.jsonValue()),
          content: fc.jsonValue(),
          displayContent: fc.jsonValue(),
          thoughts: fc.jsonValue(),
          toolCalls: fc.array(
            fc.record({ id: fc.constantFrom('c', 'd'), result: fc.jsonValue(), args: fc.jsonValue() }),
          ),
          model: fc.oneof(fc.constant('m'), fc.jsonValue()),
          timestamp: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
      fc.record({ $set: fc.jsonValue() }),
      fc.record({ $set: fc.record({ messages: fc.array(fc.jsonValue()), summary: fc.jsonValue() }) }),
      fc.record({ $patch: fc.jsonValue() }),
      fc.record({ $rewindTo: fc.constantFrom('a', 'b') }),
    );

    fc.assert(
      fc.property(fc.array(record, { maxLength: 12 }), (records) => {
        const rows = rowsOf(records.map((value) => JSON.stringify(value)));

        for (const row of rows) {
          assert.ok(row.text.isWellFormed() && !row.text.includes('\0'));
          assert.equal(typeof row.record, 'string');
          for (const value of Object.values(row.attributes ?? {})) assert.notEqual(typeof value, 'object');
        }
      }),
      { numRuns: 300 },
    );
  });

  it('cleans text that collectors refuse', () => {
    const rows = rowsOf([header(), '{"id":"u1","type":"user","content":"a\\u0000b\\ud83dc"}']);

    assert.equal(one(rows, 'user').text, 'a\u2400b\ufffdc');
  });

  it('keeps what a line cut in the middle of a record is followed by on the same line', () => {
    const torn = textOf(user('u1', 'lost text')).slice(0, 30);

    const rows = rowsOf([header(), `${torn}${textOf(user('u2', 'kept'))}`]);

    assert.deepEqual(said(rows), [
      'user: kept',
      `parser.error: parser: unparseable line (not valid JSON): ${torn}`,
    ]);
  });

  it('takes calls that stand only in the content', () => {
    const rows = rowsOf([header(), gemini('g1', [{ text: 'Look: ' }, asked('c1', 'glob')])]);

    assert.deepEqual(said(rows), ['assistant: Look:', 'tool_use: glob {"path":"src"}']);
  });
});
