import assert from 'node:assert/strict';
import type { DraftRow } from '../../../agent/contract/row.ts';
import { fakeContext } from '../support.ts';
import { documentSpec, eventRow, eventRows, idOf, type Json, SESSION_ID } from './support.ts';

const PATH = `projects/p/subagents/${SESSION_ID}/agent-explore-call_qwen_1.meta.json`;
const META = {
  agentId: 'explore-call_qwen_1',
  agentType: 'explore',
  description: 'look around',
  parentSessionId: SESSION_ID,
  toolUseId: 'call_qwen_1',
  createdAt: '2026-10-01T09:00:00.000Z',
  status: 'running',
  lastUpdatedAt: '2026-10-01T09:00:05.000Z',
  resolvedApprovalMode: 'yolo',
  persistedCliFlags: { approvalMode: 'yolo' },
};

function read(meta: Json | string, settled = true): DraftRow[] | 'torn' {
  const rows: DraftRow[] = [];
  const bytes = Buffer.from(typeof meta === 'string' ? meta : JSON.stringify(meta, null, 2));
  const result = documentSpec(PATH).parse(
    { bytes, settled },
    fakeContext(PATH),
    (row) => void rows.push(row),
  );
  return result === 'torn' ? result : rows;
}

function rowsOf(meta: Json | string): DraftRow[] {
  const rows = read(meta);
  assert.ok(rows !== 'torn');
  return rows;
}

describe('parsers/qwen-code/subagent-meta', () => {
  it('tells that a subagent was started, and that nothing asks any more', () => {
    const rows = rowsOf(META);

    const mode = eventRow(rows, 'permission.mode');
    assert.equal(
      eventRow(rows, 'session.subagent').text,
      'subagent started: explore: look around (explore-call_qwen_1)',
    );
    assert.equal(mode.text, 'permission mode: yolo (subagent explore-call_qwen_1)');
    assert.equal(mode.attributes?.['trust_all'], true);
    assert.equal(mode.timestamp_utc, '2026-10-01T09:00:00.000Z');
    assert.equal(mode.session_id, SESSION_ID);
  });

  it('does not take another mode for one that asks nothing', () => {
    const rows = rowsOf({ ...META, resolvedApprovalMode: 'auto-edit' });

    assert.equal(eventRow(rows, 'permission.mode').attributes?.['trust_all'], undefined);
  });

  it('tells the end as a further row, and the start under the same id', () => {
    const before = rowsOf(META).map(idOf);

    const rows = rowsOf({ ...META, status: 'failed', lastError: 'no answer' });

    const end = eventRows(rows, 'session.subagent').at(-1);
    assert.equal(end?.text, 'subagent failed: explore-call_qwen_1');
    assert.equal(end.attributes?.['error'], 'no answer');
    assert.deepEqual(
      before.filter((id) => !rows.map(idOf).includes(id)),
      [],
    );
  });

  it('waits for a file that is cut, and says so when it stays so', () => {
    assert.equal(read('{"agentId": "explore', false), 'torn');
    assert.match(rowsOf('{"agentId": "explore')[0]?.text ?? '', /^parser: not a subagent file/);
  });

  it('survives fields of any kind', () => {
    const rows = rowsOf({
      agentId: 7,
      agentType: [],
      status: {},
      resolvedApprovalMode: 1,
      persistedCliFlags: 'x',
    });

    assert.equal(eventRow(rows, 'session.subagent').session_id, SESSION_ID);
  });
});
