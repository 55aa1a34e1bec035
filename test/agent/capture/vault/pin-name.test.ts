import assert from 'node:assert/strict';
import { sep } from 'node:path';
import { parsePinPath, pinPath } from '../../../../agent/capture/vault/pin-name.ts';

const IDENTITY = {
  dev: '64768',
  ino: '18446744073709551615',
  birthNs: '1764547200123456789',
  kind: 'link',
} as const;

describe('agent/capture/vault/pin-name', () => {
  for (const key of [
    '.gemini/tmp/shop/chats/session-1.jsonl',
    '/srv/data/q/data.json',
    'C:/Users/alice/.gemini/a.json',
    'a~b/100%/~1-2-3.link',
    '../outside/./a.json',
    'back\\slash',
    'Ünïcode 日本/ä.json',
  ])
    it(`tells ${key} from its path alone`, () => {
      const segments = pinPath({ key, ...IDENTITY }).split(sep);

      assert.deepEqual(parsePinPath(segments), { key, ...IDENTITY });
      assert.ok(!segments.includes('..') && !segments.includes('.') && !segments.includes(''));
    });

  it('takes nothing else for a pin', () => {
    for (const name of ['notes.txt', 'a~1-2.link', 'a~1-2-3.half', 'a~1-2-3.link.half', '~1-2-3.link'])
      assert.equal(parsePinPath(['x', name]), undefined);
  });
});
