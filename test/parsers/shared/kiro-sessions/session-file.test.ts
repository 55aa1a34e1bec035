import assert from 'node:assert/strict';
import { eventRows, said, V3_ID, versions } from '../../kiro-cli/support.ts';

const PATH = `sessions/2af6b4a70d443ffd/${V3_ID}/session.json`;
const BASE = {
  schemaVersion: '1.0.0',
  workspacePaths: ['/home/alice/proj'],
  createdAt: '2026-10-01T09:00:00.000Z',
  lastModifiedAt: '2026-10-01T09:05:00.000Z',
  createdReason: 'human',
};
const file = (more: object = {}) => JSON.stringify({ ...BASE, ...more });

describe('parsers/shared/kiro-sessions/session-file', () => {
  it('tells the beginning, the project and the session that began it', () => {
    const [rows = []] = versions(PATH, [file({ createdReason: 'subagent', parentSessionId: 'sess_1' })]);

    assert.deepEqual(said(rows), [
      'session.start: session start: subagent, 2026-10-01T09:00:00.000Z',
      'session.origin: session origin: subagent of sess_1',
    ]);
    assert.equal(rows[0]?.project_path, '/home/alice/proj');
  });

  it('gives one trust-all event for each time that autopilot is switched on', () => {
    const states = [false, true, true, false, true].map((autopilot) => file({ autopilot }));
    const told = versions(PATH, states).map((rows) =>
      eventRows(rows, 'permission.mode').map(({ attributes }) => attributes?.['trust_all'] === true),
    );

    assert.deepEqual(told, [[false], [true], [], [false], [true]]);
  });

  it('tells another model', () => {
    const told = versions(PATH, [file({ modelId: 'auto' }), file({ modelId: 'claude-sonnet-4.5' })]);

    assert.deepEqual(said(told[1] ?? []).slice(1), ['model.change: model: auto -> claude-sonnet-4.5']);
  });

  it('complains of a file that stays broken, but not of an empty one', () => {
    assert.deepEqual(said(versions(PATH, ['{"id": '])[0] ?? []), [
      'parser.error: parser: not a session file (not valid JSON): {"id":',
    ]);
    assert.deepEqual(versions(PATH, ['']), [[]]);
  });
});
