import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { identifyHost } from '../../../agent/platform/host.ts';
import { tempDir } from '../../support/temp.ts';

const MACHINE = 'a'.repeat(32);

describe('agent/platform/host', () => {
  it('gives a machine one id, from which the machine id cannot be read', () => {
    const first = identifyHost(tempDir(), MACHINE);
    const second = identifyHost(tempDir(), MACHINE);

    assert.equal(first.id, second.id);
    assert.match(first.id, /^[0-9a-f]{32}$/);
    assert.notEqual(first.id, MACHINE);
    assert.notEqual(identifyHost(tempDir(), 'b'.repeat(32)).id, first.id);
  });

  it('makes an id for a machine that has none, and keeps it to itself', () => {
    const dir = tempDir();

    const first = identifyHost(dir, null);
    const again = identifyHost(dir, null);

    assert.equal(again.id, first.id);
    assert.notEqual(identifyHost(tempDir(), null).id, first.id);
    assert.equal(statSync(join(dir, 'host-id')).mode & 0o777, 0o600);
    assert.ok(!readFileSync(join(dir, 'host-id'), 'utf8').includes(first.id));
  });

  it('gives the same id each time when it can be kept nowhere', () => {
    const dir = join(tempDir(), 'none');

    assert.equal(identifyHost(dir, null).id, identifyHost(dir, null).id);
  });
});
