import assert from 'node:assert/strict';
import type { DeletedFile } from '../../../agent/contract/lifecycle.ts';
import { type Belonging, type DeletionRules, judgeDeletions } from '../../../parsers/shared/deletion.ts';
import { deleted } from '../../support/deleted.ts';

/** `<folder>/<session>`, and `<folder>/<session>/<part>` for what belongs to it. */
function belonging(path: string): Belonging {
  const [folder = '', session = '', part] = path.split('/');
  return { folder, session, isPart: part !== undefined };
}

const NONE: DeletionRules = { belonging, ofSessions: () => [], ofPart: () => undefined };

function judge(files: readonly DeletedFile[], left: readonly string[] = ['p/other'], rules = NONE) {
  return judgeDeletions({ files, left: left.map((path) => ({ path, ageDays: 1 })) }, rules);
}

describe('parsers/shared/deletion', () => {
  it('takes one session that no rule explains for the deed of a person', () => {
    const causes = judge([deleted('p/a')]);

    assert.deepEqual(causes, ['user']);
  });

  it('knows the delete command by what it deletes with a session', () => {
    const causes = judge([deleted('p/a/helper'), deleted('p/a')]);

    assert.deepEqual(causes, ['delete_command', 'delete_command']);
  });

  it('takes many sessions at once, or all of a project, for a mass deletion', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => deleted(`p/${name}`));

    assert.deepEqual([...new Set(judge(many))], ['mass_deletion']);
    assert.deepEqual(judge(many.slice(0, 2), ['q/other']), ['mass_deletion', 'mass_deletion']);
    assert.deepEqual(judge(many.slice(0, 2)), ['user', 'user']);
  });

  it('counts a session in several files once', () => {
    const files = [1, 2, 3, 4, 5].map(() => deleted('p/a'));

    assert.deepEqual([...new Set(judge(files))], ['user']);
  });

  it('does not count what a rule explains into a mass', () => {
    const rules: DeletionRules = {
      ...NONE,
      ofSessions: (sessions) => sessions.map((_, at) => (at < 4 ? 'expired' : undefined)),
    };
    const files = ['a', 'b', 'c', 'd', 'e'].map((name) => deleted(`p/${name}`));

    assert.deepEqual(judge(files, ['p/other'], rules), ['expired', 'expired', 'expired', 'expired', 'user']);
  });

  it('says that the folder went away, or the store, whatever else may be said', () => {
    const rules: DeletionRules = { ...NONE, ofSessions: (sessions) => sessions.map(() => 'expired') };
    const files = [
      deleted('p/a', { alongWith: 'folder' }),
      deleted('q/b', { alongWith: 'store' }),
      deleted('q/b/part', { alongWith: 'store' }),
      deleted('r/c/part', { alongWith: 'store' }),
    ];

    assert.deepEqual([...new Set(judge(files, [], rules))], ['store_gone']);
  });

  it('asks the rules about a part whose session is still there', () => {
    const rules: DeletionRules = { ...NONE, ofPart: () => 'expired' };
    const part = deleted('p/a/part', { alongWith: 'folder' });

    assert.deepEqual(judge([part], ['p/a'], rules), ['expired']);
    assert.deepEqual(judge([part], ['p/a']), ['unknown']);
  });

  it('names no cause for a file of which nothing is known', () => {
    assert.deepEqual(judge([deleted('p/a', { tally: undefined })]), ['unknown']);
  });

  it('gives one cause a file for any burst', () => {
    assert.deepEqual(judge([]), []);
  });
});
