import assert from 'node:assert/strict';
import type { DraftRow } from '../../../../agent/contract/row.ts';
import { parseDelegate } from '../../../../parsers/shared/conversation/delegate.ts';
import { fakeContext } from '../../support.ts';
import { said } from './support.ts';

const RECORD = {
  agent: 'q_cli_default',
  task: 'run the tests',
  status: 'completed',
  launched_at: 1_777_132_900,
  completed_at: 1_777_132_960,
  pid: 4711,
  exit_code: 0,
  output: '\u001b[32m12 passed',
  cwd: '/home/alice/proj',
};

function read(text: string, settled = true) {
  const rows: DraftRow[] = [];
  const context = fakeContext('.subagents/q_cli_default.json');
  const result = parseDelegate({ bytes: Buffer.from(text), settled }, context, (row) => void rows.push(row));
  return { rows, result };
}

describe('parsers/shared/conversation/delegate', () => {
  it('tells that a task began with everything trusted, and how it ended', () => {
    const { rows } = read(JSON.stringify(RECORD));

    assert.deepEqual(said(rows), [
      'session.subagent: delegate task launched: agent=q_cli_default pid=4711 trust_all_tools=true: run the tests',
      'session.subagent: delegate task completed: agent=q_cli_default exit_code=0\noutput: \u241b[32m12 passed',
    ]);
    assert.equal(rows[0]?.attributes?.['trust_all'], true);
    assert.equal(rows[1]?.project_path, '/home/alice/proj');
  });

  it('waits for a record that is cut, and tells one that stays so', () => {
    assert.equal(read('{"agent":', false).result, 'torn');
    assert.deepEqual(
      read('{"agent":').rows.map(({ event }) => event),
      ['parser.error'],
    );
  });
});
