import assert from 'node:assert/strict';
import { batchOf, rowsOf } from '../../../support/batches.ts';
import {
  type ReceivedRequest,
  type ScriptedAnswer,
  startScriptedServer,
} from '../../../support/scripted-server.ts';
import { until } from '../../../support/until.ts';
import { json } from '../dialects.ts';
import { hecSink, NEVER, reasonOf } from '../support.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DISABLED = json(400, { text: 'ACK is disabled', code: 14 });

const taken = (ackId: unknown) => json(200, { text: 'Success', code: 0, ackId });
const acks = (states: Record<string, boolean>) => json(200, { acks: states });
const isEvent = ({ path }: ReceivedRequest) => path === '/services/collector/event';
const isAck = ({ path }: ReceivedRequest) => path.startsWith('/services/collector/ack?channel=');

/** An event collector that gives scripted answers to events and to questions, which begin with a first look. */
async function collector(script: { events: ScriptedAnswer[]; answers: ScriptedAnswer[] }) {
  const events = [...script.events];
  const answers = [acks({ 0: false }), ...script.answers];
  const server = await startScriptedServer([], {
    success(request) {
      const next = (isEvent(request) ? events : answers).shift();
      return next ?? acks({});
    },
  });
  return server;
}

describe('agent/sinks/splunk-hec/acks', () => {
  it('counts a batch only once it is indexed', async () => {
    const server = await collector({
      events: [taken(7)],
      answers: [acks({ 7: false }), acks({ 7: false }), acks({ 7: true })],
    });

    const result = await hecSink({ url: server.url, ack: true }).send(batchOf(rowsOf(2)), NEVER);

    const asked = server.requests.filter(isAck);
    const channels = server.requests.map(({ headers }) => headers['x-splunk-request-channel']);
    assert.deepEqual(result, { kind: 'accepted' });
    assert.equal(server.requests.filter(isEvent).length, 1);
    assert.deepEqual(
      asked.map(({ body }) => body.toString()),
      ['{"acks":[0]}', '{"acks":[7]}', '{"acks":[7]}', '{"acks":[7]}'],
    );
    assert.match(String(channels[0]), UUID);
    assert.equal(new Set(channels).size, 1);
    assert.ok(asked.every(({ path }) => path.endsWith(`channel=${channels[0]}`)));
  });

  it('keeps its channel from batch to batch and looks at the token once', async () => {
    const server = await collector({
      events: [taken(0), taken('1')],
      answers: [acks({ 0: true }), acks({ 1: true })],
    });
    const sink = hecSink({ url: server.url, ack: true });

    const results = [
      await sink.send(batchOf(rowsOf(2)), NEVER),
      await sink.send(batchOf(rowsOf(2, 3)), NEVER),
    ];

    assert.deepEqual(results, [{ kind: 'accepted' }, { kind: 'accepted' }]);
    assert.deepEqual(
      server.requests.filter(isAck).map(({ body }) => body.toString()),
      ['{"acks":[0]}', '{"acks":[0]}', '{"acks":[1]}'],
    );
    assert.equal(new Set(server.requests.map(({ headers }) => headers['x-splunk-request-channel'])).size, 1);
  });

  it('asks for a retry when the time is over', async () => {
    const server = await collector({ events: [taken(7)], answers: [acks({ 7: false }), acks({ 7: false })] });

    const result = await hecSink({ url: server.url, ack: true, ackTimeoutMs: 300 }).send(
      batchOf(rowsOf(2)),
      NEVER,
    );

    assert.equal(result.kind, 'retry');
    assert.match(reasonOf(result), /taken in but not acknowledged as indexed within 0\.3 s/);
  });

  it('sends nothing with a token that has no acknowledgement', async () => {
    const server = await startScriptedServer([DISABLED]);

    const result = await hecSink({ url: server.url, ack: true }).send(batchOf(rowsOf(2)), NEVER);

    assert.equal(result.kind, 'retry');
    assert.match(reasonOf(result), /^the token has no indexer acknowledgement, so ack must be false/);
    assert.equal(server.requests.filter(isEvent).length, 0);
  });

  it('counts nothing without an id to ask for', async () => {
    const server = await collector({ events: [json(200, { text: 'Success', code: 0 })], answers: [] });

    const result = await hecSink({ url: server.url, ack: true }).send(batchOf(rowsOf(2)), NEVER);

    assert.match(reasonOf(result), /^the answer has no ackId/);
  });

  it('asks on while the endpoint does not tell', async () => {
    const server = await collector({
      events: [taken(7)],
      answers: [
        { status: 502, headers: { 'content-type': 'text/html' }, body: 'Bad Gateway' },
        json(503, { text: 'Server is busy', code: 9 }),
        acks({ 7: true }),
      ],
    });

    const result = await hecSink({ url: server.url, ack: true }).send(batchOf(rowsOf(2)), NEVER);

    assert.deepEqual(result, { kind: 'accepted' });
  });

  it('says in the end what the endpoint told instead', async () => {
    const server = await collector({ events: [taken(7)], answers: [{ status: 502, body: 'Bad Gateway' }] });

    const result = await hecSink({ url: server.url, ack: true, ackTimeoutMs: 50 }).send(
      batchOf(rowsOf(2)),
      NEVER,
    );

    assert.match(reasonOf(result), /within 0\.05 s: .*status 502.*Bad Gateway/);
  });

  it('stops when the token is not accepted any more', async () => {
    const server = await collector({
      events: [taken(7)],
      answers: [json(403, { text: 'Invalid token', code: 4 })],
    });

    const result = await hecSink({ url: server.url, ack: true }).send(batchOf(rowsOf(2)), NEVER);

    assert.equal(result.kind, 'unauthorized');
  });

  it('does not count rows in front of a refused one, since nobody acknowledges them', async () => {
    const server = await collector({
      events: [json(400, { text: 'Invalid data format', code: 6, 'invalid-event-number': 2 })],
      answers: [],
    });

    const result = await hecSink({ url: server.url, ack: true }).send(batchOf(rowsOf(4)), NEVER);

    assert.ok(result.kind === 'partial');
    assert.deepEqual([result.rejected.map(({ index }) => index), result.retry], [[2], [0, 1, 3]]);
  });

  it('stops waiting at once when it is told to', async () => {
    const server = await collector({ events: [taken(7)], answers: [] });
    const stop = new AbortController();
    const sending = hecSink({ url: server.url, ack: true, ackTimeoutMs: 600_000 }).send(
      batchOf(rowsOf(2)),
      stop.signal,
    );
    await until('two questions', () => server.requests.filter(isAck).length >= 2);
    stop.abort();

    const result = await sending;

    assert.equal(result.kind, 'retry');
  });

  it('sees in a probe that the token has no acknowledgement', async () => {
    const server = await startScriptedServer([
      json(200, { text: 'HEC is healthy', code: 17 }),
      json(400, { text: 'No data', code: 5 }),
      DISABLED,
    ]);

    const result = await hecSink({ url: server.url, ack: true }).probe(NEVER);

    assert.equal(server.requests[0]?.path, '/services/collector/health?ack=true');
    assert.ok(!result.ok);
    assert.match(result.reason, /ack must be false/);
  });
});
