import assert from 'node:assert/strict';
import { entriesOf, readStanding, subjectsOf } from '../specs.ts';

const PATH = 'trustedFolders.json';

describe('parsers/gemini-cli/standing/trusted-folders', () => {
  it('gives the level of each folder, which is its project', () => {
    const text = '{"/srv/a":"TRUST_FOLDER", "c:\\\\b":"DO_NOT_TRUST", /* why */ "/srv/c":"TRUST_PARENT",}';

    assert.deepEqual(
      entriesOf(PATH, text).map(({ subject, project, attributes }) => [
        subject,
        project,
        attributes?.['decision'],
        attributes?.['trust_all'],
      ]),
      [
        ['trustedFolders./srv/a=TRUST_FOLDER', '/srv/a', 'allow', undefined],
        ['trustedFolders.c:\\b=DO_NOT_TRUST', 'c:\\b', 'deny', undefined],
        ['trustedFolders./srv/c=TRUST_PARENT', '/srv/c', 'allow', true],
      ],
    );
  });

  it('prints a level of another form as recorded', () => {
    assert.deepEqual(subjectsOf(PATH, '{"/srv/a":{"level":1}}'), ['trustedFolders./srv/a={"level":1}']);
  });

  it('is unreadable when it is no object', () => {
    const result = readStanding(PATH, '[]');

    assert.ok(result.kind === 'unreadable');
    assert.equal(result.rows[0]?.text, 'parser: .gemini/trustedFolders.json is not a JSON object');
  });
});
