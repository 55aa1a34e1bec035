import assert from 'node:assert/strict';
import type { DraftRow } from '../../../../agent/contract/row.ts';
import type { FileSpec } from '../../../../agent/contract/source.ts';
import { amazonQ } from '../../../../parsers/amazon-q/index.ts';
import { kiroCli } from '../../../../parsers/kiro-cli/index.ts';
import { draftId, fakeContext } from '../../support.ts';
import { call, randomId, state, TALK, tell, turn } from './support.ts';

function savedIn(source: typeof amazonQ): Extract<FileSpec, { kind: 'document' }> {
  const spec = source.files.find(({ name }) => name === 'saved');
  assert.ok(spec?.kind === 'document');
  return spec;
}

function parse(source: typeof amazonQ, text: string, settled = true) {
  const rows: DraftRow[] = [];
  const document = { bytes: Buffer.from(text), settled, memory: undefined };
  const result = savedIn(source).parse(document, fakeContext('talk.json'), (row) => void rows.push(row));
  return { result, rows };
}

const HISTORY = state([turn(1, 'hello', { calls: [call('c1')] }), turn(2, 'bye')]);

const SESSION = {
  format: 'kiro-session-export-v1',
  metadata: { session_id: TALK, cwd: '/home/alice/proj' },
  log_entries: [
    {
      version: 'v1',
      kind: 'Prompt',
      data: {
        message_id: randomId(1),
        content: [{ kind: 'text', data: 'hello' }],
        meta: { timestamp: 1_790_845_260 },
      },
    },
    {
      version: 'v1',
      kind: 'AssistantMessage',
      data: { message_id: randomId(2), content: [{ kind: 'text', data: 'hi' }] },
    },
  ],
};

describe('parsers/shared/conversation/saved', () => {
  it('gives the rows of the record under the same ids, for where the record is gone', () => {
    const { rows } = parse(amazonQ, HISTORY);
    const known = tell(HISTORY).rows;

    const copies = rows.filter(({ event }) => event !== 'session.exported');
    assert.deepEqual(
      copies.map((row) => draftId(amazonQ, row)),
      known.map((row) => draftId(amazonQ, row)),
    );
    assert.ok(copies.every((row) => row.recovered === true && row.copyOf !== undefined));
  });

  it('says once for each state that the conversation was written out', () => {
    const exported = (text: string) =>
      parse(amazonQ, text).rows.filter(({ event }) => event === 'session.exported');

    const [row, ...more] = exported(HISTORY);
    assert.deepEqual(more, []);
    assert.equal(row?.session_id, TALK);
    assert.match(row?.text ?? '', /^conversation saved: 2 entries \(from .*talk\.json, file mtime\)$/);
    const [other] = exported(state([turn(1, 'hello')]));
    assert.notEqual(row && draftId(amazonQ, row), other && draftId(amazonQ, other));
  });

  it('reads the list of records that the second engine writes', () => {
    const { rows } = parse(kiroCli, JSON.stringify(SESSION));

    assert.deepEqual(
      rows.map(({ turn_type, text }) => `${turn_type} ${text.split(':')[0]}`),
      ['user hello', 'assistant hi', 'system conversation saved'],
    );
    assert.ok(rows.every(({ session_id }) => session_id === TALK));
    assert.equal(rows[0]?.project_path, '/home/alice/proj');
  });

  it('reads a conversation of the first engine for Kiro CLI, too', () => {
    assert.ok(parse(kiroCli, HISTORY).rows.length > 4);
  });

  it('gives nothing for any other file', () => {
    for (const text of ['{"name":"shop"}', '[1,2]', '"text"', '{"conversation_id":"a"}', '{"history":[]}'])
      assert.deepEqual(parse(kiroCli, text), { result: 'parsed', rows: [] });
  });

  it('waits for the end of a file that is being written, and says what stays broken', () => {
    const cut = HISTORY.slice(0, -20);

    assert.deepEqual(parse(amazonQ, cut, false), { result: 'torn', rows: [] });
    assert.deepEqual(
      parse(amazonQ, cut).rows.map(({ event }) => event),
      ['parser.error'],
    );
    assert.deepEqual(parse(amazonQ, '').rows, []);
  });

  it('is read only where a line names it', () => {
    for (const source of [amazonQ, kiroCli])
      for (const path of ['talk.json', 'saved', 'package.json'])
        assert.equal(savedIn(source).matches(path), false);
  });
});
