import assert from 'node:assert/strict';
import { readSessionName, sessionKeyOf } from '../../../parsers/gemini-cli/session-name.ts';

describe('parsers/gemini-cli/session-name', () => {
  it('reads the eight characters from the name of a session file', () => {
    for (const name of [
      'session-2026-10-01T09-00-c0de0001.jsonl',
      'session-2026-10-01T09-00-c0de0001.json',
      'session-2026-10-01T09-00-2-c0de0001.jsonl',
      'session-2026-10-01T09-00-c0de0001.jsonl.unreadable-1790845200000',
    ]) {
      const { key, id, isPrefix, parent } = readSessionName(`tmp/proj/chats/${name}`);

      assert.deepEqual([key, id, isPrefix, parent], ['c0de0001', 'c0de0001', true, undefined], name);
    }
  });

  it('reads the whole id and the parent from the path of a subagent', () => {
    const name = readSessionName('tmp/proj/chats/parent-id/5e000001-1111-4000-8000-000000000009.jsonl');

    assert.deepEqual(name, {
      key: '5e000001',
      id: '5e000001-1111-4000-8000-000000000009',
      isPrefix: false,
      parent: 'parent-id',
      projectHash: undefined,
    });
  });

  it('takes the name of the folder for the project only when it is a hash', () => {
    const hash = 'a'.repeat(64);

    assert.equal(readSessionName(`tmp/${hash}/chats/x.jsonl`).projectHash, hash);
    assert.equal(readSessionName('tmp/slug/chats/x.jsonl').projectHash, undefined);
  });

  it('has something to say for any name', () => {
    for (const path of [
      '',
      'x',
      'tmp/p/chats/',
      'tmp/p/chats/session-.jsonl',
      'tmp/p/chats/session-2026.jsonl',
    ]) {
      const { key, id } = readSessionName(path);

      assert.equal(typeof key, 'string');
      assert.equal(typeof id, 'string');
    }
  });

  it('writes an unusual id as the program writes it into the file name', () => {
    assert.equal(sessionKeyOf('my id/1'), 'my_id_1');
    assert.equal(sessionKeyOf('c0de0001-1111'), 'c0de0001');
  });
});
