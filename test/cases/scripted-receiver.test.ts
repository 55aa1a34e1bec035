import assert from 'node:assert/strict';
import type { Row } from '../../agent/contract/row.ts';
import { rowOf } from '../support/batches.ts';
import type { ScriptedAnswer } from './case-form.ts';
import type { Receiver } from './receiver.ts';
import { createScriptedReceiver } from './scripted-receiver.ts';

const rows = ['row 0', 'row 1', 'row 2'].map((text, index) => rowOf(text, index + 1));
const [first = rowOf('', 0), second = first, third = first] = rows;
const heartbeat = rowOf('heartbeat', 9, { agent: 'holdfast', turn_type: 'system' });

describe('test/cases/scripted-receiver', () => {
  let receiver: Receiver | undefined;

  afterEach(async () => {
    await receiver?.close();
  });

  it('answers in order, then with success, and keeps the script for rows of the case', async () => {
    receiver = await start([answer(503, 'busy')]);

    const replies = [
      await postRows(receiver, [heartbeat]),
      await postRows(receiver, rows),
      await postRows(receiver, rows),
    ];

    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 503, 200],
    );
    assert.deepEqual(replies[2]?.body, { batch: 'b', accepted: 3, duplicates: 0, rejected: [] });
    assert.deepEqual(receiver.problems(), []);
    assert.equal((await receiver.received()).length, 4);
    assert.equal(receiver.arrivals(), 7);
  });

  it('misses rows that were not taken and never sent again', async () => {
    receiver = await start([answer(200, '<html>'), answer(200, '$success')]);

    await postRows(receiver, rows);
    await postRows(receiver, [first, second]);

    assert.deepEqual(receiver.problems(), [`sent, never taken and not sent again: ${third.row_id}`]);
  });

  it('notes that nobody asked for the rest of the script', async () => {
    receiver = await start([answer(503, ''), answer(503, '')]);

    await postRows(receiver, rows);

    assert.deepEqual(receiver.notes(), ['scripted answers that no request asked for: 1']);
  });

  it('counts what a collector took twice', async () => {
    receiver = await start([answer(200, { partialSuccess: { rejectedLogRecords: '1' } })]);
    const records = rows.map(({ text, row_id: id }) => ({
      body: { stringValue: text },
      attributes: [
        { key: 'log.record.uid', value: { stringValue: id } },
        { key: 'holdfast.source.line', value: { intValue: '3' } },
      ],
    }));
    const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] });

    await post(receiver, body);
    await post(receiver, body);

    const received = await receiver.received();
    assert.equal(receiver.sink.type, 'otlp');
    assert.deepEqual(
      received.map(({ row, copies }) => [row.text, row.source_line, copies]),
      rows.map(({ text }) => [text, 3, 2]),
    );
  });

  it('answers a bulk request item by item and sees to it that none is forgotten', async () => {
    const item = (row: number, status: number) => ({ create: { _id: `$${row}`, status } });
    receiver = await start([
      answer(200, { errors: true, items: [item(0, 201), item(1, 429), item(2, 400)] }),
    ]);
    const bulk = (some: readonly Row[]) =>
      some
        .map(
          (row) =>
            `{"create":{"_id":"${row.row_id}"}}\n${JSON.stringify({ '@timestamp': row.observed_at, event: {}, holdfast: row })}\n`,
        )
        .join('');

    const reply = await post(receiver, bulk([heartbeat, ...rows]));
    const before = receiver.problems();
    await post(receiver, bulk([second]));

    const { items } = reply.body as { items: { create: { _id: string; status: number } }[] };
    assert.equal(receiver.sink.type, 'elasticsearch');
    assert.deepEqual(
      items.map(({ create }) => [create._id, create.status]),
      [
        [heartbeat.row_id, 201],
        [first.row_id, 201],
        [second.row_id, 429],
        [third.row_id, 400],
      ],
    );
    assert.deepEqual(before, [`sent, never taken and not sent again: ${second.row_id}`]);
    assert.deepEqual(receiver.problems(), []);
  });

  it('asks for small batches when several answers settle what they answer', async () => {
    const partial = answer(200, { partialSuccess: {} });

    receiver = await start([partial, partial]);
    const many = receiver.sink;
    await receiver.close();
    receiver = await start([answer(503, ''), partial]);

    assert.deepEqual(many.batch, { max_rows: 1 });
    assert.equal(receiver.sink.batch, undefined);
  });

  it('takes HEC events only with code 0', async () => {
    receiver = await start([answer(503, { text: 'Server is busy', code: 9 })]);
    const body = rows.map((event) => JSON.stringify({ event })).join('\n');

    await post(receiver, body);
    const before = receiver.problems().length;
    await post(receiver, body);

    assert.equal(receiver.sink.type, 'splunk_hec');
    assert.equal(before, 3);
    assert.deepEqual(receiver.problems(), []);
  });
});

function start(answers: readonly ScriptedAnswer[]): Promise<Receiver> {
  return createScriptedReceiver(answers, rows.length);
}

function answer(status: number, body: unknown): ScriptedAnswer {
  return { status, headers: {}, body };
}

function postRows(receiver: Receiver, some: readonly Row[]) {
  return post(receiver, some.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

async function post(receiver: Receiver, body: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(receiver.sink.url, {
    method: 'POST',
    body,
    headers: { 'x-holdfast-batch': 'b' },
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
