import assert from 'node:assert/strict';
import { FILE_TIME } from '../../support.ts';
import { parseDocument } from '../specs.ts';
import { brief, SESSION_ID } from '../support.ts';

const PATH = 'tmp/proj/checkpoints/2026-10-01T09-00-07_123Z-notes.md-replace.json';
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const CHECKPOINT = {
  clientHistory: [{ role: 'user', parts: [{ text: 'said elsewhere' }] }],
  toolCall: { name: 'replace', args: { file_path: 'notes.md' } },
  commitHash: COMMIT,
  messageId: `${SESSION_ID}########3`,
};

describe('parsers/gemini-cli/secondary/tool-checkpoint', () => {
  it('says which call was about to change a file, and nothing of the history', () => {
    const { rows } = parseDocument(PATH, JSON.stringify(CHECKPOINT));

    assert.deepEqual(rows.map(brief), [
      `tool.checkpoint: tool checkpoint: replace {"file_path":"notes.md"} commit=${COMMIT} message=${SESSION_ID}########3 (from .gemini/${PATH}, time in the file name)`,
    ]);
  });

  it('fills the columns from the name of the file and the id of the prompt', () => {
    const [row] = parseDocument(PATH, JSON.stringify(CHECKPOINT)).rows;

    assert.deepEqual(
      [row?.timestamp_utc, row?.timestamp_source, row?.session_id, row?.tool_name, row?.attributes],
      [
        '2026-10-01T09:00:07.123Z',
        'derived',
        SESSION_ID,
        'replace',
        { tool: 'replace', commit: COMMIT, message: `${SESSION_ID}########3` },
      ],
    );
  });

  it('does without a commit, a message and a time in the name', () => {
    const { rows } = parseDocument('tmp/proj/checkpoints/x.json', '{"toolCall":{"name":"write_file"}}');

    assert.deepEqual(rows.map(brief), [
      'tool.checkpoint: tool checkpoint: write_file {} commit=- message=- (from .gemini/tmp/proj/checkpoints/x.json, file mtime)',
    ]);
    assert.deepEqual([rows[0]?.timestamp_utc, rows[0]?.session_id], [FILE_TIME, undefined]);
  });

  it('waits while the file is cut, and says so when it stays cut', () => {
    const cut = JSON.stringify(CHECKPOINT).slice(0, 40);

    assert.equal(parseDocument(PATH, cut, { settled: false }).result, 'torn');
    assert.match(
      parseDocument(PATH, cut).rows[0]?.text ?? '',
      /^parser: not a tool checkpoint \(no tool call\): /,
    );
  });

  it('says that another kind of file is none', () => {
    const { rows } = parseDocument(PATH, '{"a":1}');

    assert.deepEqual(rows.map(brief), [
      'parser.error: parser: not a tool checkpoint (no tool call): {"a":1}',
    ]);
  });
});
