import assert from 'node:assert/strict';
import { amazonQ } from '../../../parsers/amazon-q/index.ts';

function specOf(path: string): string | undefined {
  return amazonQ.files.find((file) => file.matches(path))?.name;
}

describe('parsers/amazon-q/paths', () => {
  it('takes what the store and a project hold', () => {
    assert.deepEqual(
      [
        'data.sqlite3',
        '.cli_bash_history',
        'settings.json',
        'cli-agents/dev.json',
        'mcp.json',
        '.subagents/worker.json',
        'rules/style/one.md',
      ].map(specOf),
      ['conversations', 'typed-history', 'settings', 'agents', 'mcp', 'delegate', 'rules'],
    );
  });

  it('takes nothing else', () => {
    for (const path of [
      'data.sqlite3-journal',
      'cli-agents/a/b.json',
      'global_context.json',
      'x/data.sqlite3',
    ])
      assert.equal(specOf(path), undefined, path);
  });

  it('enters only directories that can hold a file of it', () => {
    assert.deepEqual(
      ['', 'cli-agents', '.subagents', 'rules/a/b', 'cli-checkouts', 'knowledge_bases', 'cli-agents/x'].map(
        (path) => amazonQ.skipDirectory(path, 'store'),
      ),
      [false, false, false, false, true, true, true],
    );
  });

  it('never names the table of credentials', () => {
    const tables = amazonQ.files.flatMap((file) => (file.kind === 'database' ? file.tables : []));

    assert.deepEqual(
      tables.map(({ name }) => name),
      ['conversations', 'history'],
    );
  });
});
