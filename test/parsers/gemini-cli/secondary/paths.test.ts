import assert from 'node:assert/strict';
import { geminiCli } from '../../../../parsers/gemini-cli/index.ts';

describe('parsers/gemini-cli/secondary/paths', () => {
  it('knows the files beside the sessions by their names', () => {
    for (const [path, name] of [
      ['tmp/proj/logs.json', 'prompt-history'],
      ['tmp/proj/logs.json.invalid_json.1790845200000.bak', 'prompt-history'],
      ['tmp/proj/logs.json.malformed_array.1790845200000.bak', 'prompt-history'],
      ['tmp/proj/shell_history', 'shell-history'],
      ['tmp/proj/checkpoint-my%20tag.json', 'chat-checkpoint'],
      ['tmp/proj/checkpoint-my tag.json', 'chat-checkpoint'],
      ['tmp/proj/checkpoint.json', 'chat-checkpoint'],
      ['tmp/proj/bug-report-history-1790845210123.json', 'bug-export'],
      ['tmp/proj/checkpoints/2026-10-01T09-00-07_123Z-a-replace.json', 'tool-checkpoint'],
      ['tmp/proj/logs/session-c0de0001.jsonl', 'activity-log'],
    ])
      assert.equal(kindOf(path ?? ''), name, path);
  });

  it('takes nothing else for one of them', () => {
    const paths = [
      'logs.json',
      'tmp/logs.json',
      'tmp//logs.json',
      'tmp/proj/x/logs.json',
      'tmp/proj/logs.json.bak',
      'tmp/proj/shell_history.old',
      'tmp/proj/checkpoint-.json.tmp',
      'tmp/proj/bug-report-history-.json',
      'tmp/proj/bug-memory-1.heapsnapshot',
      'tmp/proj/logs/other.jsonl',
      'tmp/proj/logs/x/session-1.jsonl',
      'tmp/proj/checkpoints/x/y.json',
      'history/proj/logs.json',
    ];

    assert.deepEqual(
      paths.filter((path) => kindOf(path) !== undefined),
      [],
    );
  });
});

function kindOf(path: string): string | undefined {
  return geminiCli.files.find((spec) => spec.matches(path))?.name;
}
