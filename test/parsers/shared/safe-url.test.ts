import assert from 'node:assert/strict';
import { hostOf, safeUrl } from '../../../parsers/shared/safe-url.ts';

describe('parsers/shared/safe-url', () => {
  it('leaves out what may be a secret', () => {
    assert.equal(safeUrl('https://user:pw@host:1/a/b?key=1#x'), 'https://host:1/a/b');
    assert.equal(safeUrl('https://host/@a'), 'https://host/@a');
    assert.equal(safeUrl('user:pw@host/a?b'), 'host/a');
    assert.equal(safeUrl('plain'), 'plain');
  });

  it('names the host of a URL only', () => {
    assert.equal(hostOf('https://u@host:1/a'), 'host:1');
    assert.equal(hostOf('host/a'), undefined);
    assert.equal(hostOf('https:///a'), undefined);
  });
});
