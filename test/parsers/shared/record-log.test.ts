import assert from 'node:assert/strict';
import { createRecordLog } from '../../../parsers/shared/record-log.ts';

/** What a reader is told, in words. */
function listen() {
  const told: string[] = [];
  const log = createRecordLog({
    record: ({ line }, { value }) => void told.push(`${line} ${JSON.stringify(value)}`),
    damaged: () => void told.push('damaged'),
    bad: ({ line }, { reason }) => void told.push(`${line} bad: ${reason}`),
    session: () => 's',
  });
  return { told, log };
}

const emit = () => undefined;

describe('parsers/shared/record-log', () => {
  it('reads each record of each line', () => {
    const { told, log } = listen();

    log.line(Buffer.from('{"a":1}{"b":2}'), 1, emit);
    log.line(Buffer.from(''), 2, emit);

    assert.deepEqual(told, ['1 {"a":1}', '1 {"b":2}']);
    assert.equal(log.session(), 's');
  });

  it('tells of damage before the records of the line', () => {
    const { told, log } = listen();

    log.line(Buffer.from('{"torn":{"a":1}'), 1, emit);

    assert.deepEqual(told, ['damaged', '1 {"a":1}', '1 bad: not valid JSON']);
  });

  it('reads a line that came before its line feed only once', () => {
    const { told, log } = listen();

    log.unfinished(Buffer.from('{"a":1}'), 1, emit);
    log.unfinished(Buffer.from('{"a":1}{"b":2}'), 1, emit);
    log.line(Buffer.from('{"a":1}{"b":2}'), 1, emit);

    assert.deepEqual(told, ['1 {"a":1}', '1 {"b":2}']);
  });

  it('says of a line without line feed that it is cut off', () => {
    const { told, log } = listen();

    log.unfinished(Buffer.from('{"a":'), 3, emit);

    assert.deepEqual(told, ['damaged', '3 bad: cut off']);
  });
});
