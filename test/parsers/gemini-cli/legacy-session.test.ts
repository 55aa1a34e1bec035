import assert from 'node:assert/strict';
import type { DraftRow } from '../../../agent/contract/row.ts';
import { geminiCli } from '../../../parsers/gemini-cli/index.ts';
import { parseLegacySession } from '../../../parsers/gemini-cli/legacy-session.ts';
import { draftId } from '../support.ts';
import {
  call,
  contextFor,
  gemini,
  header,
  type Json,
  one,
  only,
  rowsOf,
  SESSION_ID,
  user,
} from './support.ts';

const PATH = 'tmp/proj/chats/session-2026-10-01T09-00-c0de0001.json';
const MESSAGES = [
  user('m1', 'a prompt from an older release'),
  gemini('m2', 'an answer', {
    thoughts: [{ subject: 'Plan', description: 'Answer.' }],
    toolCalls: [call('c1', 'glob')],
  }),
];

function legacy(more: Json = {}): string {
  return JSON.stringify({ ...header(), ...more, messages: MESSAGES }, null, 2);
}

function parse(text: string | Buffer, settled = true, path = PATH) {
  const rows: DraftRow[] = [];
  const context = contextFor({ path });
  const document = { bytes: Buffer.from(text), settled };
  const result = parseLegacySession(document, context, (row) => void rows.push(row));
  return { result, rows, notes: context.notes };
}

describe('parsers/gemini-cli/legacy-session', () => {
  it('30: gives every message the id that it has in the migrated JSONL file', () => {
    const old = parse(legacy()).rows;
    const migrated = rowsOf([header({ kind: undefined }), ...MESSAGES]);

    assert.deepEqual(
      old.map((row) => draftId(geminiCli, row)),
      migrated.map((row) => draftId(geminiCli, row)),
    );
  });

  it('gives the line of each message in the file', () => {
    const text = legacy();
    const { rows, result } = parse(text);

    const lineOf = (needle: string) => text.slice(0, text.indexOf(needle)).split('\n').length - 1;
    assert.equal(result, 'parsed');
    assert.equal(one(rows, 'session.start').source_line, 1);
    assert.equal(one(rows, 'user').source_line, lineOf('"id": "m1"'));
    assert.equal(one(rows, 'assistant').source_line, lineOf('"id": "m2"'));
  });

  it('reads a session of one line, and one that starts with a byte order mark', () => {
    const plain = parse(JSON.stringify(JSON.parse(legacy()))).rows;
    const marked = parse(`\ufeff${legacy()}`).rows;

    assert.equal(one(plain, 'user').text, 'a prompt from an older release');
    assert.deepEqual(marked, parse(legacy()).rows);
  });

  it('links the session of a subagent to its parent', () => {
    const path = `tmp/proj/chats/${SESSION_ID}/5e000001-1111-4000-8000-000000000009.json`;

    const { rows } = parse(
      legacy({ sessionId: '5e000001-1111-4000-8000-000000000009', kind: 'subagent' }),
      true,
      path,
    );

    assert.equal(one(rows, 'user').attributes?.['parent_session_id'], SESSION_ID);
    assert.equal(one(rows, 'user').session_id, '5e000001-1111-4000-8000-000000000009');
  });

  it('gives nothing while the file may be in the middle of a write', () => {
    const text = legacy();

    for (const end of [0, 1, 40, text.length - 200, text.length - 1]) {
      const { result, rows } = parse(text.slice(0, end), false);

      assert.deepEqual([result, rows], ['torn', []]);
    }
  });

  it('keeps the complete messages of a file that stays cut, and says so once', () => {
    const text = legacy();
    const { result, rows } = parse(text.slice(0, text.indexOf('"an answer"')));

    assert.equal(result, 'parsed');
    assert.equal(one(rows, 'user').text, 'a prompt from an older release');
    assert.equal(one(rows, 'user').session_id, SESSION_ID);
    const row = one(rows, 'parser.error');
    assert.match(row.text, /^parser: array cut off after record 1: \{ "id": "m2"/);
  });

  it('gives only rows of the whole file, wherever it is cut', () => {
    const text = Buffer.from(legacy());
    const ids = new Set(parse(text).rows.map((row) => draftId(geminiCli, row)));

    for (let end = 0; end < text.length; end++) {
      const { rows } = parse(text.subarray(0, end));

      const strange = rows.filter((row) => row.event !== 'parser.error' && !ids.has(draftId(geminiCli, row)));
      assert.deepEqual(strange, [], `cut at byte ${end}`);
    }
  });

  it('reports a message that cannot be read and keeps the others', () => {
    const { rows } = parse(
      `{"sessionId":"${SESSION_ID}","messages":[{"id":"m0","type":x},7,${JSON.stringify(MESSAGES[0])}]}`,
    );

    assert.deepEqual(
      only(rows, 'parser.error').map(({ text }) => text),
      [
        'parser: unparseable record 1 (not valid JSON): {"id":"m0","type":x}',
        'parser: unparseable record 2 (not a JSON object): 7',
      ],
    );
    assert.equal(only(rows, 'user').length, 1);
  });

  it('says that a file is damaged after its messages', () => {
    const { rows } = parse(legacy().replace(/\}$/, ''));

    assert.equal(only(rows, 'user').length, 1);
    assert.equal(one(rows, 'parser.error').text, 'parser: session file damaged (cut off)');
  });

  it('gives one row for a file that is no JSON, and none for an empty one or for other JSON', () => {
    const broken = parse('not json at all');
    const other = parse('["aaaaaaaa-0000-4000-8000-000000000000"]');

    assert.equal(
      one(broken.rows, 'parser.error').text,
      'parser: not a session file (not valid JSON): not json at all',
    );
    assert.deepEqual([other.rows, [...other.notes]], [[], [['unknown_record', 1]]]);
    assert.deepEqual(parse('').rows, []);
  });

  it('reports a document that holds too many values instead of reading it', () => {
    const bomb = `{"sessionId":"x","messages":[${'[],'.repeat(1_100_000)}[]]}`;

    const { rows } = parse(bomb);

    assert.match(one(rows, 'parser.error').text, /^parser: not a session file \(too many values\)/);
    assert.equal(rows.length, 1);
  });
});
