import assert from 'node:assert/strict';
import type { Row } from '../../../agent/contract/row.ts';
import { createSelfRows, quarantinedEvent, type SelfEvent } from '../../../agent/keeper/self-rows.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const HOST = { id: 'h1', name: 'laptop', labels: { team: 'red' }, maxTextBytes: 1_000 };
const BEAT: SelfEvent = {
  event: 'holdfast.heartbeat',
  text: 'heartbeat: ok',
  attributes: { rows: 7 },
  occasion: '2026-11-30T12:00:00.000Z',
  lane: 'live',
};

describe('agent/keeper/self-rows', () => {
  it('writes a row about Holdfast itself, in a commit without a file', () => {
    const commit = createSelfRows(HOST, new FakeClock())(BEAT);

    const row = rowOf(commit.rows.lines);
    assert.deepEqual(
      [commit.lane, commit.file, commit.cursor, commit.rows.count],
      ['live', null, undefined, 1],
    );
    assert.equal(row.agent, 'holdfast');
    assert.equal(row.event, 'holdfast.heartbeat');
    assert.equal(row.turn_type, 'system');
    assert.equal(row.timestamp_utc, '2026-11-30T12:00:00.000Z');
    assert.deepEqual(row.attributes, { rows: 7 });
    assert.deepEqual(
      [row.host_id, row.labels, row.os_user, row.session_id],
      ['h1', { team: 'red' }, null, null],
    );
  });

  it('gives the same occasion of the same host the same id, and every other one another', () => {
    const id = (event: SelfEvent, host = HOST) =>
      rowOf(createSelfRows(host, new FakeClock(0))(event).rows.lines).row_id;
    const known = id(BEAT);

    assert.equal(id({ ...BEAT, text: 'heartbeat: degraded', attributes: {} }), known);
    assert.notEqual(id({ ...BEAT, occasion: '2026-11-30T12:01:00.000Z' }), known);
    assert.notEqual(id(BEAT, { ...HOST, id: 'h2' }), known);
    assert.notEqual(id({ ...BEAT, event: 'source.quarantined' }), known);
  });

  it('names the file that was set aside, and why', () => {
    const { text, attributes } = quarantinedEvent({
      home: '/home/alice',
      file: '.gemini/a.jsonl',
      reason: 'signal SIGABRT',
      since: 1,
    });

    assert.match(text, /\.gemini\/a\.jsonl.*SIGABRT/);
    assert.deepEqual(attributes, { home: '/home/alice', file: '.gemini/a.jsonl', reason: 'signal SIGABRT' });
  });
});

function rowOf(lines: Buffer): Row {
  return JSON.parse(lines.toString('utf8')) as Row;
}
