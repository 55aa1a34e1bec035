import assert from 'node:assert/strict';
import { userName } from '../../../../parsers/gemini-cli/claims.ts';
import { parseDocument } from '../specs.ts';
import { brief, PROJECT } from '../support.ts';

const PATH = 'tmp/proj/shell_history';

describe('parsers/gemini-cli/secondary/shell-history', () => {
  it('gives each command as a copy, with its first line', () => {
    const { rows } = parseDocument(PATH, 'ls -la\ngit status\nmake\\\ntest\n\nls');

    assert.deepEqual(
      rows.map(({ text, source_line, copyOf }) => [text, source_line, copyOf]),
      [
        ['ls -la', 1, userName('proj', 'ls -la')],
        ['git status', 2, userName('proj', 'git status')],
        ['make test', 3, userName('proj', 'make test')],
        ['ls', 6, userName('proj', 'ls')],
      ],
    );
  });

  it('has no time and no session, and the project of its folder', () => {
    const [row] = parseDocument(PATH, 'ls').rows;

    assert.deepEqual(
      [row?.timestamp_utc, row?.session_id, row?.project_path, row?.attributes],
      [undefined, undefined, PROJECT, { input: 'shell' }],
    );
  });

  it('waits until the file is quiet, since a cut cannot be seen', () => {
    const { result, rows } = parseDocument(PATH, 'ls\ngit sta', { settled: false });

    assert.equal(result, 'torn');
    assert.deepEqual(rows, []);
  });

  it('says which line is not UTF-8, and keeps the commands around it', () => {
    const { rows } = parseDocument(PATH, Buffer.from('ls\nprintf \xff\npwd', 'latin1'));

    assert.deepEqual(rows.map(brief), [
      'parser.error: parser: unparseable line (not valid UTF-8): printf \ufffd',
      'user: ls',
      'user: pwd',
    ]);
    assert.equal(rows[0]?.source_line, 2);
  });

  it('gives a command the same identity wherever it stands, and two equal ones two', () => {
    const contents = (text: string) => parseDocument(PATH, text).rows.map(({ content }) => content);

    assert.deepEqual(contents('ls\npwd'), contents('pwd\nls').toReversed());
    assert.equal(new Set(contents('ls\nls')).size, 2);
  });

  it('gives the same identity in the folder that is named by the hash of the project', () => {
    const hash = '4e9ec1cc04b05e1a40e8d5f8bfe1a1a1b0fd7e2d3a5f1c9b8a7e6d5c4b3a2f10';
    const content = (path: string, project: string | undefined) =>
      parseDocument(path, 'ls', { given: { project: () => project } }).rows[0]?.content;

    assert.equal(
      content(`tmp/${hash}/shell_history`, PROJECT),
      content(`tmp/${hash}/shell_history`, undefined),
    );
    assert.notEqual(content(PATH, '/home/alice/a'), content(PATH, '/home/alice/b'));
  });
});
