import assert from 'node:assert/strict';
import { assistant, eventRows, parse, system, user, uuid } from './support.ts';

function branches(lines: Parameters<typeof parse>[0]): unknown[] {
  return eventRows(parse(lines).rows, 'session.branched').map(({ attributes }) => attributes?.['from']);
}

describe('parsers/qwen-code/tree', () => {
  it('finds no branch in a conversation', () => {
    assert.deepEqual(
      branches([user(1, 'a'), assistant(2, 'b'), system(3, 'ui_telemetry', {}), user(4, 'c')]),
      [],
    );
  });

  it('finds where the session was taken up at an earlier record', () => {
    const lines = [
      user(1, 'a'),
      assistant(2, 'b'),
      user(3, 'c'),
      user(4, 'd', { parentUuid: uuid(2) }),
      assistant(5, 'e'),
    ];

    assert.deepEqual(branches(lines), [uuid(2)]);
  });

  it('finds a second beginning', () => {
    assert.deepEqual(branches([user(1, 'a'), assistant(2, 'b'), user(3, 'c', { parentUuid: null })]), [
      'start',
    ]);
  });

  it('follows two ends beside each other and counts one branch', () => {
    const lines = [
      user(1, 'a'),
      user(2, 'b'),
      user(3, 'c', { parentUuid: uuid(1) }),
      user(4, 'd', { parentUuid: uuid(2) }),
      user(5, 'e', { parentUuid: uuid(3) }),
      user(6, 'f', { parentUuid: uuid(4) }),
    ];

    assert.deepEqual(branches(lines), [uuid(1)]);
  });

  it('leaves it to a rewind to say so', () => {
    const lines = [
      user(1, 'a'),
      assistant(2, 'b'),
      user(3, 'c'),
      system(4, 'rewind', { truncatedCount: 1 }, { parentUuid: uuid(2) }),
      user(5, 'd'),
    ];

    assert.deepEqual(branches(lines), []);
  });

  it('takes a title for a step of the conversation or for a note beside it', () => {
    const title = { customTitle: 'x' };

    assert.deepEqual(branches([user(1, 'a'), system(2, 'custom_title', title), user(3, 'b')]), []);
    assert.deepEqual(
      branches([user(1, 'a'), system(2, 'custom_title', title), user(3, 'b', { parentUuid: uuid(1) })]),
      [],
    );
  });

  it('says nothing of a record that hangs on one which could not be read', () => {
    assert.deepEqual(branches([user(1, 'a'), 'torn', user(3, 'c'), user(4, 'd')]), []);
    assert.deepEqual(branches([user(1, 'a'), `{"torn":${JSON.stringify(user(3, 'c'))}`, user(4, 'd')]), []);
  });
});
