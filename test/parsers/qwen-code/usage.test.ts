import assert from 'node:assert/strict';
import { PROJECT, parse, SESSION_ID } from './support.ts';

describe('parsers/qwen-code/usage', () => {
  const record = {
    version: 1,
    sessionId: SESSION_ID,
    timestamp: Date.UTC(2026, 9, 1, 9),
    project: PROJECT,
    durationMs: 1500,
    models: { plus: { requests: 2, totalTokens: 40 }, flash: { requests: 1, totalTokens: 2 } },
    tools: { totalCalls: 2, totalFail: 1, byName: { edit: { count: 2 } } },
    files: { linesAdded: 3, linesRemoved: 1 },
  };

  it('tells what a run used', () => {
    const { rows } = parse([record], 'usage_record.jsonl');

    assert.equal(rows[0]?.text, 'session usage: 3 requests, 42 tokens, 2 tool calls, 1 of them failed');
    assert.equal(rows[0]?.session_id, SESSION_ID);
    assert.equal(rows[0]?.project_path, PROJECT);
    assert.equal(rows[0]?.timestamp_utc, '2026-10-01T09:00:00.000Z');
    assert.equal(rows[0]?.attributes?.['tools'], 'edit:2');
    assert.equal(rows[0]?.attributes?.['models'], 'plus,flash');
  });

  it('passes over lines that count no session, and says what is no record', () => {
    const { rows, context } = parse([{ version: 9 }, '7', 'nonsense'], 'usage_record.jsonl');

    assert.deepEqual(
      rows.map(({ text }) => text),
      [
        'parser: unparseable line (not a JSON object): 7',
        'parser: unparseable line (not valid JSON): nonsense',
      ],
    );
    assert.equal(context.notes.get('unknown_record'), 1);
  });
});
