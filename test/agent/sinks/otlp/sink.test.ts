import assert from 'node:assert/strict';
import type { SendResult } from '../../../../agent/contract/sink.ts';
import { batchOf, rowsOf } from '../../../support/batches.ts';
import {
  type Behaviour,
  type ScriptedAnswer,
  startScriptedServer,
} from '../../../support/scripted-server.ts';
import { sinkContract } from '../../../support/sink-contract.ts';
import { bodyText, json, logsIn, OTLP_SUCCESS, recordsIn } from '../dialects.ts';
import { NEVER, otlpSink, reasonOf, recordingLogger, TOKEN } from '../support.ts';

/** Sends one batch of four rows to a receiver that answers once as told. */
async function answered(step: ScriptedAnswer | Behaviour, lines: string[] = []): Promise<SendResult> {
  const server = await startScriptedServer([step]);
  const sink = otlpSink({ url: server.url }, { logger: recordingLogger(lines) });
  return await sink.send(batchOf(rowsOf(4)), NEVER);
}

const partial = (partialSuccess: unknown) => json(200, { partialSuccess });

for (const compression of ['gzip', 'none'] as const) {
  sinkContract(`otlp with ${compression}`, async () => {
    let broken = false;
    const received: string[] = [];
    const server = await startScriptedServer([], {
      success(request) {
        if (broken) return json(503, { code: 14, message: 'no more room' });
        received.push(...recordsIn(request.body).map(bodyText));
        return OTLP_SUCCESS;
      },
    });
    return {
      sink: otlpSink({ url: server.url, compression }),
      received: () => received,
      break() {
        broken = true;
      },
      mend() {
        broken = false;
      },
    };
  });
}

describe('agent/sinks/otlp/sink', () => {
  describe('request', () => {
    it('posts one export request in JSON', async () => {
      const server = await startScriptedServer([OTLP_SUCCESS]);

      const result = await otlpSink({ url: `${server.url}/otlp` }).send(batchOf(rowsOf(3)), NEVER);

      const [request] = server.requests;
      assert.deepEqual(result, { kind: 'accepted' });
      assert.equal(`${request?.method} ${request?.path}`, 'POST /otlp/v1/logs');
      assert.equal(request?.headers['content-type'], 'application/json');
      assert.equal(request?.headers['content-encoding'], 'gzip');
      assert.equal(request?.headers.authorization, `Bearer ${TOKEN}`);
      assert.deepEqual(recordsIn(request!.body).map(bodyText), ['row 1', 'row 2', 'row 3']);
    });

    it('does not append the path twice', async () => {
      const server = await startScriptedServer([OTLP_SUCCESS]);

      await otlpSink({ url: `${server.url}/v1/logs?tenant=a` }).send(batchOf(rowsOf(1)), NEVER);

      assert.equal(server.requests[0]?.path, '/v1/logs?tenant=a');
    });

    it('shows the token in the way and under the name that are configured', async () => {
      const server = await startScriptedServer([], { success: () => OTLP_SUCCESS });
      const send = (auth: 'basic' | 'header', authHeader: string | null, secret: string) =>
        otlpSink({ url: server.url, auth, authHeader }, { secret: () => secret }).send(
          batchOf(rowsOf(1)),
          NEVER,
        );

      await send('basic', null, '123456:abc');
      await send('header', 'X-Api-Key', 'abc');
      await send('header', null, 'Api-Token abc');

      assert.deepEqual(
        server.requests.map(({ headers }) => [headers.authorization, headers['x-api-key']]),
        [
          [`Basic ${Buffer.from('123456:abc').toString('base64')}`, undefined],
          [undefined, 'abc'],
          ['Api-Token abc', undefined],
        ],
      );
    });

    it('sends the same bytes again on a retry, and plain ones after 415', async () => {
      const server = await startScriptedServer([{ status: 503 }, { status: 415 }, OTLP_SUCCESS]);
      const sink = otlpSink({ url: server.url });
      const batch = batchOf(rowsOf(50));

      const kinds = [];
      for (let round = 0; round < 3; round++) kinds.push((await sink.send(batch, NEVER)).kind);

      const [first, second, third] = server.requests;
      assert.deepEqual(kinds, ['retry', 'retry', 'accepted']);
      assert.ok(second?.raw.equals(first!.raw));
      assert.equal(third?.headers['content-encoding'], undefined);
      assert.ok(third?.body.equals(first!.body));
    });
  });

  describe('success', () => {
    for (const [name, body] of [
      ['an empty object', {}],
      ['an unset partial success', { partialSuccess: null }],
      ['an empty partial success', { partialSuccess: {} }],
      ['a count of zero as text', { partialSuccess: { rejectedLogRecords: '0', errorMessage: '' } }],
      ['a count of zero', { partialSuccess: { rejectedLogRecords: 0 } }],
      ['a field that is not known yet', { partialSuccess: {}, retryInfo: { hint: 1 } }],
    ] as const) {
      it(`is ${name}`, async () => {
        assert.deepEqual(await answered(json(200, body)), { kind: 'accepted' });
      });
    }

    it('is a message without a count, which is worth a line for developers', async () => {
      const lines: string[] = [];

      const result = await answered(partial({ errorMessage: 'please upgrade' }), lines);

      assert.deepEqual(result, { kind: 'accepted' });
      assert.deepEqual(lines, [
        'OTLP receiver took everything and adds {"sink":"central","message":"please upgrade"}',
      ]);
    });

    const noAcks: Readonly<Record<string, ScriptedAnswer>> = {
      'a login page': {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<title>Sign in</title>',
      },
      'an empty body': json(200, ''),
      'no content': { status: 204 },
      'an empty object under another content type': {
        status: 200,
        headers: { 'content-type': 'text/plain' },
        body: '{}',
      },
      'the JSON of something else': json(200, { login: 'https://portal.example.com' }),
      'a list': json(200, []),
      'JSON that is no object': json(200, 'null'),
      'JSON that is cut': json(200, '{"partialSuccess":'),
      'a partial success that is no object': json(200, { partialSuccess: 'yes' }),
      'a partial success that is a list': json(200, { partialSuccess: [] }),
      'a count that is no number': partial({ rejectedLogRecords: 'one' }),
      'a count that is no whole number': partial({ rejectedLogRecords: 1.5 }),
      'a count below zero': partial({ rejectedLogRecords: -1 }),
      'a count beyond the batch': partial({ rejectedLogRecords: '5' }),
    };
    for (const [name, answer] of Object.entries(noAcks)) {
      it(`is not ${name}`, async () => {
        const result = await answered(answer);

        assert.equal(result.kind, 'retry');
        assert.match(reasonOf(result), new RegExp(`no acknowledgement.*status ${answer.status}`));
      });
    }

    it('is an empty body once that is configured, and still no login page', async () => {
      const server = await startScriptedServer([
        { status: 204 },
        json(200, ''),
        { status: 202 },
        { status: 200, headers: { 'content-type': 'text/html' }, body: 'Sign in' },
        { status: 503 },
      ]);
      const sink = otlpSink({ url: server.url, acceptEmpty: true });

      const kinds = [];
      for (let round = 0; round < 5; round++) kinds.push((await sink.send(batchOf(rowsOf(1)), NEVER)).kind);

      assert.deepEqual(kinds, ['accepted', 'accepted', 'accepted', 'retry', 'retry']);
    });
  });

  describe('rejected records', () => {
    for (const count of ['1', 1]) {
      it(`are counted and told, and not sent again, when ${typeof count} says how many`, async () => {
        const lines: string[] = [];
        const counted: unknown[] = [];
        const server = await startScriptedServer([
          partial({ rejectedLogRecords: count, errorMessage: 'one record too large' }),
        ]);
        const sink = otlpSink(
          { url: server.url },
          {
            logger: recordingLogger(lines),
            metrics: { add: (...args) => void counted.push(args), set() {} },
          },
        );
        const batch = batchOf(rowsOf(4));

        const result = await sink.send(batch, NEVER);

        assert.deepEqual(result, { kind: 'accepted' });
        assert.deepEqual(counted, [['holdfast_rejected_rows_total', 1, { sink: 'central' }]]);
        assert.deepEqual(lines, [
          `OTLP receiver refused rows of a batch and does not say which ${JSON.stringify({
            event: 'sink.rejected_unnamed',
            sink: 'central',
            rows: 1,
            of: 4,
            first_seq: 1,
            last_seq: 4,
            batch: batch.id,
            reason: 'one record too large',
          })}`,
        ]);
      });
    }

    it('are named when they are all there are', async () => {
      const result = await answered(partial({ rejectedLogRecords: '4', errorMessage: 'no\nlogs here' }));

      assert.deepEqual(result, {
        kind: 'partial',
        rejected: [0, 1, 2, 3].map((index) => ({ index, reason: 'no logs here' })),
        retry: [],
      });
    });
  });

  describe('status', () => {
    for (const [status, kind] of [
      [400, 'refused invalid'],
      [401, 'unauthorized'],
      [403, 'unauthorized'],
      [404, 'retry'],
      [408, 'retry'],
      [413, 'refused too_large'],
      [429, 'retry'],
      [500, 'refused invalid'],
      [502, 'retry'],
      [503, 'retry'],
      [504, 'retry'],
      [307, 'retry'],
    ] as const) {
      it(`${status} means ${kind}`, async () => {
        const result = await answered(json(status, { code: 3, message: 'because' }));

        assert.equal(result.kind === 'refused' ? `refused ${result.cause}` : result.kind, kind);
        assert.match(reasonOf(result), new RegExp(`status ${status}.*because`));
      });
    }

    for (const [name, answer] of Object.entries({
      'of a gateway': { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Error</h1>' },
      'without a message': json(500, { error: 'out of order' }),
      'of a receiver that does not know what is wrong': json(500, { code: 2, message: 'queue is full' }),
    })) {
      it(`500 ${name} means retry`, async () => {
        assert.equal((await answered(answer)).kind, 'retry');
      });
    }

    for (const status of [429, 502, 503, 504]) {
      it(`${status} hands on Retry-After`, async () => {
        const result = await answered(json(status, {}, { 'retry-after': '13' }));

        assert.ok(result.kind === 'retry');
        assert.equal(result.afterMs, 13_000);
      });
    }
  });

  it('probes with a request without records', async () => {
    const server = await startScriptedServer([OTLP_SUCCESS, json(401, { message: 'who are you' })]);
    const sink = otlpSink({ url: server.url });

    const good = await sink.probe(NEVER);
    const bad = await sink.probe(NEVER);

    assert.deepEqual(logsIn(server.requests[0]!.body), { resourceLogs: [] });
    assert.deepEqual(good, { ok: true });
    assert.ok(!bad.ok);
    assert.match(bad.reason, /status 401.*who are you/);
  });

  it('shows the token in no reason and no line of the log', async () => {
    const lines: string[] = [];
    const script = [
      { status: 500, body: `you sent ${TOKEN}` },
      { status: 200, body: `you sent ${TOKEN}` },
      partial({ rejectedLogRecords: 1, errorMessage: `bad ${TOKEN}` }),
      partial({ rejectedLogRecords: 3, errorMessage: `bad ${TOKEN}` }),
      partial({ errorMessage: `hello ${TOKEN}` }),
      { status: 415 },
    ];
    const server = await startScriptedServer(script);
    const sink = otlpSink({ url: server.url }, { logger: recordingLogger(lines) });

    const shown = [];
    for (const _ of script) shown.push(JSON.stringify(await sink.send(batchOf(rowsOf(3)), NEVER)));

    assert.equal(lines.length, 3);
    assert.ok(![...shown, ...lines].join('\n').includes(TOKEN));
    assert.match(lines.join('\n'), /bad \[secret\].*\n.*hello \[secret\]/);
  });
});
