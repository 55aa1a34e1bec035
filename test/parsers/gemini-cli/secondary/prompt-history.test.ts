import assert from 'node:assert/strict';
import { folderOf, promptName, userName } from '../../../../parsers/gemini-cli/claims.ts';
import { parseDocument } from '../specs.ts';
import { at, brief, SESSION_ID } from '../support.ts';

const PATH = 'tmp/proj/logs.json';

describe('parsers/gemini-cli/secondary/prompt-history', () => {
  it('gives each prompt as a copy of the record that follows it', () => {
    const { rows } = parseDocument(PATH, list(entry({ message: ' hello ' })));

    const [row] = rows;
    assert.equal(row?.copyOf, promptName(at('09:00:05'), 'hello'));
    assert.equal(row.text, ' hello ');
    assert.deepEqual(
      [row.turn_type, row.session_id, row.timestamp_utc],
      ['user', SESSION_ID, at('09:00:05')],
    );
  });

  it('lets a prompt stand for the same words without a time', () => {
    const { rows } = parseDocument(PATH, list(entry({ message: 'make \\\ntest' })));

    assert.deepEqual(rows[0]?.claims, [userName(folderOf(PATH), 'make  test')]);
  });

  it('gives the line of each entry in the pretty-printed file', () => {
    const { rows } = parseDocument(PATH, JSON.stringify([entry({}), entry({ messageId: 1 })], null, 2));

    assert.deepEqual(
      rows.map(({ source_line }) => source_line),
      [2, 9],
    );
  });

  it('tells entries apart whose number begins anew', () => {
    const { rows } = parseDocument(PATH, list(entry({}), entry({ timestamp: at('10:00:05') })));

    assert.equal(new Set(rows.map(({ record, content }) => `${record} ${content}`)).size, 2);
  });

  it('gives a slash command at once, as no copy', () => {
    const { rows } = parseDocument(
      PATH,
      list(entry({ message: '/model set x' }), entry({ message: '/quit' })),
    );

    assert.deepEqual(rows.map(brief), [
      'command.slash: slash command: /model set x',
      'command.slash: slash command: /quit',
    ]);
    assert.deepEqual(
      rows.map(({ copyOf }) => copyOf),
      [undefined, undefined],
    );
    assert.equal(rows[0]?.attributes?.['command'], 'model');
  });

  it('takes a path, a comment and a lone slash for prompts, as the program does', () => {
    const messages = ['/srv/a.ts what is it', '// why', '/* why */', '/', '/*'];

    const { rows } = parseDocument(PATH, list(...messages.map((message) => entry({ message }))));

    assert.deepEqual(
      rows.map(({ turn_type }) => turn_type),
      messages.map(() => 'user'),
    );
  });

  it('says of an entry of another type what it is', () => {
    const { rows } = parseDocument(PATH, list(entry({ type: 'system', message: 'x' })));

    assert.deepEqual(rows.map(brief), ['prompt.other: prompt history entry of type system: x']);
  });

  it('matches by text alone when an entry has no time', () => {
    const { rows } = parseDocument(PATH, list(entry({ timestamp: 'soon', message: 'hi' })));

    assert.equal(rows[0]?.copyOf, userName('proj', 'hi'));
    assert.equal(rows[0].timestamp_utc, null);
  });

  it('waits while the list is cut, empty, or followed by something', () => {
    for (const text of [
      '',
      '[',
      list(entry({})).slice(0, -9),
      `${list(entry({}))}]`,
      'nonsense',
      '{"a":1}',
    ]) {
      const { result, rows } = parseDocument(PATH, text, { settled: false });

      assert.equal(result, 'torn', text);
      assert.deepEqual(rows, []);
    }
  });

  it('gives the whole entries of a list that stays cut, and what is left', () => {
    const text = `${list(entry({ message: 'one' })).slice(0, -1)},{"sessionId":"c0`;

    const { result, rows } = parseDocument(PATH, text);

    assert.equal(result, 'parsed');
    assert.deepEqual(rows.map(brief), [
      'user: one',
      'parser.error: parser: unparseable record 2 (cut off): {"sessionId":"c0',
    ]);
  });

  it('keeps the entries around one that cannot be read', () => {
    const { rows } = parseDocument(PATH, `[${JSON.stringify(entry({}))},7,{"type":"user"},{"a":}]`);

    assert.deepEqual(rows.map(brief), [
      'user: hello',
      'parser.error: parser: unparseable record 2 (not a JSON object): 7',
      'parser.error: parser: unparseable record 3 (no message): {"type":"user"}',
      'parser.error: parser: unparseable record 4 (not valid JSON): {"a":}',
    ]);
  });

  it('says that a file is empty or no list, once it stays so', () => {
    const texts = ['', '{"a":1}'].flatMap((text) => parseDocument(PATH, text).rows.map(brief));

    assert.deepEqual(texts, [
      'parser.error: parser: not a prompt history (empty)',
      'parser.error: parser: not a prompt history (not a list): {"a":1}',
    ]);
  });

  it('says nothing of a list without entries', () => {
    const { result, rows } = parseDocument(PATH, '[]', { settled: false });

    assert.equal(result, 'parsed');
    assert.deepEqual(rows, []);
  });

  it('gives an entry the same identity in the copy that the program set aside', () => {
    const identity = (path: string) =>
      parseDocument(path, list(entry({}))).rows.map(({ sessionKey, record, part, content }) => [
        sessionKey,
        record,
        part,
        content,
      ]);

    assert.deepEqual(identity('tmp/proj/logs.json.invalid_json.1790845200000.bak'), identity(PATH));
  });
});

function entry(more: Readonly<Record<string, unknown>>) {
  return {
    sessionId: SESSION_ID,
    messageId: 0,
    type: 'user',
    message: 'hello',
    timestamp: at('09:00:05'),
    ...more,
  };
}

function list(...entries: readonly unknown[]): string {
  return JSON.stringify(entries);
}
