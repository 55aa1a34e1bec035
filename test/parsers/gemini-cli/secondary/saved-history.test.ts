import assert from 'node:assert/strict';
import { FILE_TIME } from '../../support.ts';
import { parseDocument } from '../specs.ts';
import { brief, PROJECT } from '../support.ts';

const CHECKPOINT = 'tmp/proj/checkpoint-my%20tag%2Fone.json';
const EXPORT = 'tmp/proj/bug-report-history-1790845210123.json';
const TURNS = [
  { role: 'user', parts: [{ text: 'hi' }] },
  { role: 'model', parts: [{ text: 'hello' }] },
];

describe('parsers/gemini-cli/secondary/saved-history', () => {
  it('says first that a checkpoint was saved, with its tag decoded', () => {
    const { rows } = parseDocument(
      CHECKPOINT,
      JSON.stringify({ history: TURNS, authType: 'oauth-personal' }),
    );

    const [row] = rows;
    assert.equal(
      row?.text,
      'chat checkpoint: tag my tag/one authType=oauth-personal (from .gemini/tmp/proj/checkpoint-my%20tag%2Fone.json, file mtime)',
    );
    assert.equal(row.copyOf, undefined);
    assert.deepEqual(
      [row.event, row.timestamp_utc, row.timestamp_source],
      ['session.checkpoint', FILE_TIME, 'file'],
    );
    assert.deepEqual(row.attributes, { tag: 'my tag/one', auth_type: 'oauth-personal', turns: 2 });
  });

  it('reads the bare list of old releases too, whose tag is not encoded', () => {
    const { rows } = parseDocument('tmp/proj/checkpoint-100% done.json', JSON.stringify(TURNS));

    assert.deepEqual(rows.map(brief).slice(1), ['user: hi', 'assistant: hello']);
    assert.match(rows[0]?.text ?? '', /^chat checkpoint: tag 100% done authType=- /);
  });

  it('says of a bug export when it was made', () => {
    const { rows } = parseDocument(EXPORT, JSON.stringify(TURNS));

    assert.equal(
      rows[0]?.text,
      'bug report history: exported (from .gemini/tmp/proj/bug-report-history-1790845210123.json, time in the file name)',
    );
    assert.deepEqual(
      [rows[0].event, rows[0].timestamp_utc, rows[0].timestamp_source],
      ['session.exported', '2026-10-01T09:00:10.123Z', 'derived'],
    );
  });

  it('gives the same identity to what was saved when its file is restored or formatted otherwise', () => {
    const head = (text: string, path = CHECKPOINT) => parseDocument(path, text).rows[0]?.content;
    const saved = { history: TURNS };

    assert.equal(head(JSON.stringify(saved)), head(JSON.stringify(saved, null, 2)));
    assert.notEqual(head(JSON.stringify(saved)), head(JSON.stringify({ history: TURNS.slice(1) })));
  });

  it('waits while the file is cut', () => {
    const whole = JSON.stringify({ history: TURNS, authType: 'x' });
    for (const length of [0, 1, 20, 60, whole.length - 1]) {
      const { result, rows } = parseDocument(CHECKPOINT, whole.slice(0, length), { settled: false });

      assert.equal(result, 'torn', String(length));
      assert.deepEqual(rows, []);
    }
  });

  it('gives the whole turns of a file that stays cut, and what is left', () => {
    const whole = JSON.stringify({ history: TURNS });

    const { rows } = parseDocument(CHECKPOINT, whole.slice(0, 67));

    assert.deepEqual(rows.map(brief).slice(1), [
      'user: hi',
      'parser.error: parser: unparseable record 2 (cut off): {"role":"model"',
    ]);
  });

  it('says that only the end is missing', () => {
    const { rows } = parseDocument(CHECKPOINT, JSON.stringify(TURNS).slice(0, -1));

    assert.equal(rows.map(brief).at(-1), 'parser.error: parser: array cut off after record 2');
  });

  it('says that the rest of the object is damaged', () => {
    const { rows } = parseDocument(
      CHECKPOINT,
      `${JSON.stringify({ history: TURNS }).slice(0, -1)},"authType":"oa`,
    );

    assert.equal(
      rows.map(brief).at(-1),
      'parser.error: parser: chat history damaged (cut off): ,"authType":"oa',
    );
  });

  it('says which turn is no object', () => {
    const { rows } = parseDocument(CHECKPOINT, '[7,{"role":"user","parts":[{"text":"hi"}]}]');

    assert.deepEqual(rows.map(brief).slice(1), [
      'parser.error: parser: unparseable record 1 (not a JSON object): 7',
      'user: hi',
    ]);
  });

  it('says of any other file that it is no history', () => {
    for (const [text, reason] of [
      ['{"a":1}', 'neither a list nor an object with a history: {"a":1}'],
      ['nonsense', 'not valid JSON: nonsense'],
      ['{"history":{}}', 'neither a list nor an object with a history: {"history":{}}'],
    ]) {
      const { rows } = parseDocument(CHECKPOINT, text ?? '');

      assert.deepEqual(rows.map(brief), [`parser.error: parser: not a chat history: ${reason}`]);
      assert.equal(rows[0]?.project_path, PROJECT);
    }
  });
});
