import assert from 'node:assert/strict';
import { check, property, string } from 'fast-check';
import {
  decodeWorkspace,
  hash32,
  workspaceHashes,
  workspaceOf,
} from '../../../parsers/kiro-ide/workspace.ts';
import { store } from './support.ts';

describe('parsers/kiro-ide/workspace', () => {
  for (const [name, path] of [
    ['L2hvbWUvYWxpY2UvcHJvag==', '/home/alice/proj'],
    ['L2hvbWUvYWxpY2UvcHJvag__', '/home/alice/proj'],
    ['L2hvbWUvYWxpY2UvcHJvag', '/home/alice/proj'],
    ['RTpcV29ya1xWb2ljZQ__', 'E:\\Work\\Voice'],
    ['L3Nydi9y', '/srv/r'],
    ['L3Nydi_DvMO_', '/srv/üÿ'],
    ['L3Nydi/DvMO/', '/srv/üÿ'],
  ] as const) {
    it(`takes ${name} for ${path}`, () => {
      assert.equal(decodeWorkspace(name), path);
    });
  }

  for (const name of ['', '_', '__', 'a', 'AAAA', '//8=', 'not base64!', '____']) {
    it(`takes ${name === '' ? 'nothing' : name} for no path`, () => {
      assert.equal(decodeWorkspace(name), undefined);
    });
  }

  it('gives back any path, however its padding is written', () => {
    const path = string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter(
      (text) => text.isWellFormed() && !/[\u0000-\u001f\u007f?]/.test(text),
    );
    const result = check(
      property(path, (text) => {
        const digits = Buffer.from(text).toString('base64url');
        const missing = (4 - (digits.length % 4)) % 4;
        for (const padding of ['='.repeat(missing), '_'.repeat(missing)])
          assert.equal(decodeWorkspace(digits + padding), text);
      }),
    );

    assert.equal(result.failed, false, String(result.counterexample));
  });

  it('knows the directory of a Windows workspace by either form of the drive letter', () => {
    const hashes = workspaceHashes('D:\\Work');

    assert.ok(hashes.includes(hash32('d:\\Work')) && hashes.includes(hash32('D:\\Work')));
    assert.deepEqual(workspaceHashes('/srv/x'), [hash32('/srv/x')]);
  });

  it('finds the workspace that a hash names among those that had sessions', () => {
    const small = store({ 'workspace-sessions/L3Nydi9y/a.json': {}, 'workspace-sessions/!/b.json': {} });

    const find = (path: string) => workspaceOf(path, small);

    assert.equal(find(`${hash32('/srv/r')}/x.chat`), '/srv/r');
    assert.equal(find(`${hash32('/srv/other')}/x.chat`), undefined);
    assert.equal(find('settings.json'), undefined);
    assert.equal(find('workspace-sessions/L3Nydi9y/a.json'), '/srv/r');
  });
});
