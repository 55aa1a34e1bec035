import assert from 'node:assert/strict';
import { entries } from './support.ts';

describe('parsers/kiro-ide/session-list', () => {
  const path = 'workspace-sessions/L3Nydi9y/sessions.json';

  it('tells each session with its title and whether it is hidden', () => {
    const found = entries(path, [
      { sessionId: 'a', title: 'one', dateCreated: '1790841600000', hidden: true },
      { sessionId: 'b', workspaceDirectory: '/srv/said' },
      { title: 'no id' },
      7,
    ]);

    assert.deepEqual(
      found.map(({ subject, session, project }) => [subject, session, project]),
      [
        ['a (hidden) one', 'a', '/srv/r'],
        ['b untitled', 'b', '/srv/said'],
      ],
    );
    assert.equal(found[0]?.attributes?.['created_at'], '2026-10-01T08:00:00.000Z');
  });
});
