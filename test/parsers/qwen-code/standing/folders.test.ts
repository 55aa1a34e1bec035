import assert from 'node:assert/strict';
import type { StandingResult } from '../../../../agent/contract/source.ts';
import { fakeContext } from '../../support.ts';
import { standingSpec } from '../support.ts';

function read(path: string, text: string, settled = true): StandingResult {
  return standingSpec(path).read({ bytes: Buffer.from(text), settled }, fakeContext(path, { root: '.qwen' }));
}

function facts(path: string, text: string): unknown[] {
  const result = read(path, text);
  assert.equal(result.kind, 'entries');
  return result.kind === 'entries'
    ? result.entries.map(({ subject, project, attributes }) => [
        subject,
        project,
        attributes?.['decision'],
        attributes?.['trust_all'],
      ])
    : [];
}

describe('parsers/qwen-code/standing/folders', () => {
  it('tells the trust in each folder', () => {
    const text = '{ "/a": "TRUST_FOLDER", /* all of it */ "/b": "TRUST_PARENT", "/c": "DO_NOT_TRUST", }';

    assert.deepEqual(facts('trustedFolders.json', text), [
      ['trustedFolders./a=TRUST_FOLDER', '/a', 'allow', undefined],
      ['trustedFolders./b=TRUST_PARENT', '/b', 'allow', true],
      ['trustedFolders./c=DO_NOT_TRUST', '/c', 'deny', undefined],
    ]);
  });

  it('tells which tool servers of a project may run', () => {
    const text = '{"/a":{"x":{"status":"approved","hash":"1"},"y":{"status":"rejected","hash":"2"}},"/b":7}';

    assert.deepEqual(facts('mcpApprovals.json', text), [
      ['mcpApprovals.x=approved', '/a', 'allow', undefined],
      ['mcpApprovals.y=rejected', '/a', 'deny', undefined],
    ]);
  });

  it('never takes a cut or broken file for one without entries', () => {
    assert.deepEqual(read('trustedFolders.json', '{"/a": "TRUST', false), { kind: 'torn' });
    const broken = read('trustedFolders.json', '{"/a": "TRUST');
    assert.equal(broken.kind, 'unreadable');
    assert.equal(
      broken.kind === 'unreadable' ? broken.rows[0]?.text : '',
      'parser: .qwen/trustedFolders.json is not a JSON object',
    );
    assert.equal(read('trustedFolders.json', '[]').kind, 'unreadable');
    assert.deepEqual(read('trustedFolders.json', '', false), { kind: 'torn' });
  });
});
