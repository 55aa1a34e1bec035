import assert from 'node:assert/strict';
import { sessionOf } from '../../../parsers/gemini-cli/known-session.ts';

const ID = 'c0de0001-1111-4000-8000-000000000001';
const ENTRIES = [{ sessionId: 'ffff0000-1', message: 'x' }, 5, { sessionId: ID, message: 'hi' }];

function find(text: string | undefined, prefix = 'c0de0001'): string | undefined {
  const files = {
    text: (name: string) => (name === 'tmp/proj/logs.json' ? text : undefined),
    list: () => [],
  };
  return sessionOf({ path: 'tmp/proj/chats/session-2026-10-01T09-00-c0de0001.jsonl', prefix }, files);
}

describe('parsers/gemini-cli/known-session', () => {
  it('finds the id of a session in the prompt history beside it', () => {
    assert.equal(find(JSON.stringify(ENTRIES, null, 2)), ID);
  });

  it('is unknown when the history is missing, cut off or about other sessions', () => {
    assert.equal(find(undefined), undefined);
    assert.equal(find(JSON.stringify(ENTRIES).slice(0, -5)), undefined);
    assert.equal(find('{}'), undefined);
    assert.equal(find(JSON.stringify(ENTRIES), 'abcdabcd'), undefined);
    assert.equal(find(JSON.stringify(ENTRIES), ''), undefined);
  });
});
