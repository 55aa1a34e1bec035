import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eventsOf } from '../../../../agent/sinks/splunk-hec/events.ts';
import { batchOf, rowOf } from '../../../support/batches.ts';
import { anyBatch } from '../any-row.ts';
import { eventsIn } from '../dialects.ts';

const OPTIONS = { index: null, sourcetype: 'holdfast:row', indexedFields: true, epoch: 'epoch-1' };

describe('agent/sinks/splunk-hec/events', () => {
  it('gives the metadata of Splunk, and the row as the event', () => {
    const row = rowOf('hello', 7, { turn_type: 'system', event: 'session.start' });

    const events = eventsIn(eventsOf(batchOf([row]), { ...OPTIONS, index: 'ai_agents' }));

    assert.deepEqual(events, [
      {
        time: 1_790_845_201,
        host: 'alice-laptop',
        source: 'holdfast:gemini-cli',
        sourcetype: 'holdfast:row',
        index: 'ai_agents',
        fields: {
          holdfast_row_id: row.row_id,
          holdfast_agent: 'gemini-cli',
          holdfast_turn_type: 'system',
          holdfast_event: 'session.start',
          holdfast_session: 'c0de0001',
          holdfast_user: 'alice',
          holdfast_epoch: 'epoch-1',
        },
        event: row,
      },
    ]);
  });

  it('leaves out indexed fields and the index when they are not configured', () => {
    const [event] = eventsIn(eventsOf(batchOf([rowOf('hello', 1)]), { ...OPTIONS, indexedFields: false }));

    assert.deepEqual(Object.keys(event!), ['time', 'host', 'source', 'sourcetype', 'event']);
  });

  it('leaves out indexed fields that a row has not', () => {
    const row = rowOf('hello', 1, { session_id: null, os_user: null });

    const [event] = eventsIn(eventsOf(batchOf([row]), OPTIONS));

    assert.deepEqual(Object.keys(event!.fields!), [
      'holdfast_row_id',
      'holdfast_agent',
      'holdfast_turn_type',
      'holdfast_epoch',
    ]);
  });

  for (const [name, timestamp_utc, time] of [
    ['to the millisecond', '2026-10-01T09:00:01.007Z', '1790845201.007'],
    ['of observation when nothing tells more', null, '1790845202.000'],
    ['of observation when the time lies before 1970', '1960-01-01T00:00:00.000Z', '1790845202.000'],
    ['of 1970', '1970-01-01T00:00:00.000Z', '0.000'],
  ] as const) {
    it(`gives the time ${name}`, () => {
      const body = eventsOf(batchOf([rowOf('hello', 1, { timestamp_utc })]), OPTIONS).toString();

      assert.ok(body.startsWith(`{"time":${time},`), body.slice(0, 40));
    });
  }

  it('holds every row of a batch once, in order and whole, whatever is in it', () => {
    fc.assert(
      fc.property(anyBatch, fc.boolean(), (batch, indexedFields) => {
        const body = eventsOf(batch, { ...OPTIONS, indexedFields });

        const events = eventsIn(body);
        assert.deepEqual(
          events.map(({ event }) => JSON.stringify(event)),
          batch.parsed.map((row) => JSON.stringify(row)),
        );
        for (const { time, fields = {} } of events) {
          assert.ok(time >= 0);
          assert.ok(Object.values(fields).every((value) => typeof value === 'string'));
        }
      }),
      { numRuns: 300 },
    );
  });
});
