import assert from 'node:assert/strict';
import type { SendResult } from '../../../../agent/contract/sink.ts';
import { batchOf, rowsOf } from '../../../support/batches.ts';
import {
  type Behaviour,
  type ScriptedAnswer,
  startScriptedServer,
} from '../../../support/scripted-server.ts';
import { sinkContract } from '../../../support/sink-contract.ts';
import { eventsIn, HEC_SUCCESS, json } from '../dialects.ts';
import { hecSink, NEVER, reasonOf, recordingLogger, TOKEN } from '../support.ts';

const HEALTHY = json(200, { text: 'HEC is healthy', code: 17 });
const NO_DATA = json(400, { text: 'No data', code: 5 });
const HTML = { 'content-type': 'text/html' };

/** Sends one batch of four rows to an event collector that answers once as told. */
async function answered(step: ScriptedAnswer | Behaviour): Promise<SendResult> {
  const server = await startScriptedServer([step]);
  return await hecSink({ url: server.url }).send(batchOf(rowsOf(4)), NEVER);
}

function kindOf(result: SendResult): string {
  return result.kind === 'refused' ? `refused ${result.cause}` : result.kind;
}

for (const compression of ['gzip', 'none'] as const) {
  sinkContract(`splunk_hec with ${compression}`, async () => {
    let broken = false;
    const received: string[] = [];
    const server = await startScriptedServer([], {
      success(request) {
        if (broken) return json(503, { text: 'Server is busy', code: 9 });
        if (request.method === 'GET') return HEALTHY;
        if (request.body.length === 0) return NO_DATA;
        received.push(...eventsIn(request.body).map(({ event }) => event.text));
        return HEC_SUCCESS;
      },
    });
    return {
      sink: hecSink({ url: server.url, compression }),
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

describe('agent/sinks/splunk-hec/sink', () => {
  describe('request', () => {
    it('posts one event a row, with the token and without a channel', async () => {
      const server = await startScriptedServer([HEC_SUCCESS]);
      const batch = batchOf(rowsOf(3));

      const result = await hecSink({ url: server.url, index: 'ai_agents' }).send(batch, NEVER);

      const [request] = server.requests;
      assert.deepEqual(result, { kind: 'accepted' });
      assert.equal(`${request?.method} ${request?.path}`, 'POST /services/collector/event');
      assert.equal(request?.headers.authorization, `Splunk ${TOKEN}`);
      assert.equal(request?.headers['content-encoding'], 'gzip');
      assert.equal(request?.headers['x-splunk-request-channel'], undefined);
      assert.deepEqual(
        eventsIn(request!.body).map(({ event, index }) => [event.text, index]),
        [
          ['row 1', 'ai_agents'],
          ['row 2', 'ai_agents'],
          ['row 3', 'ai_agents'],
        ],
      );
    });

    for (const path of [
      '/splunk',
      '/splunk/',
      '/splunk/services/collector',
      '/splunk/services/collector/',
      '/splunk/services/collector/event',
    ]) {
      it(`finds the event endpoint from ${path}`, async () => {
        const server = await startScriptedServer([HEC_SUCCESS]);

        await hecSink({ url: `${server.url}${path}?tenant=a` }).send(batchOf(rowsOf(1)), NEVER);

        assert.equal(server.requests[0]?.path, '/splunk/services/collector/event?tenant=a');
      });
    }

    it('sends the same bytes again on a retry', async () => {
      const server = await startScriptedServer([{ status: 503 }, HEC_SUCCESS]);
      const sink = hecSink({ url: server.url });
      const batch = batchOf(rowsOf(50));

      await sink.send(batch, NEVER);
      await sink.send(batch, NEVER);

      assert.ok(server.requests[1]?.raw.equals(server.requests[0]!.raw));
    });
  });

  describe('code', () => {
    const kinds: readonly (readonly [status: number, code: number, kind: string])[] = [
      [200, 0, 'accepted'],
      [403, 1, 'unauthorized'],
      [401, 2, 'unauthorized'],
      [401, 3, 'unauthorized'],
      [403, 4, 'unauthorized'],
      [400, 5, 'retry'],
      [400, 6, 'refused invalid'],
      [400, 7, 'unauthorized'],
      [500, 8, 'retry'],
      [503, 9, 'retry'],
      [400, 10, 'retry'],
      [400, 11, 'retry'],
      [400, 12, 'refused invalid'],
      [400, 13, 'refused invalid'],
      [400, 14, 'retry'],
      [400, 15, 'refused invalid'],
      [400, 16, 'unauthorized'],
      [503, 18, 'retry'],
      [503, 19, 'retry'],
      [503, 20, 'retry'],
      [503, 23, 'retry'],
      [200, 24, 'accepted'],
      [200, 25, 'accepted'],
      [429, 26, 'retry'],
      [429, 27, 'retry'],
      [400, 99, 'retry'],
      [200, 99, 'retry'],
      [200, 9, 'retry'],
      [503, 0, 'retry'],
    ];
    for (const [status, code, kind] of kinds) {
      it(`${code} under status ${status} means ${kind}`, async () => {
        const result = await answered(json(status, { text: 'because', code }));

        assert.equal(kindOf(result), kind);
        if (result.kind !== 'accepted')
          assert.match(reasonOf(result), new RegExp(`status ${status}.*because`));
      });
    }

    it('says what to change where the code alone does not', async () => {
      const wrongIndex = await answered(json(400, { text: 'Incorrect index', code: 7 }));
      const noChannel = await answered(json(400, { text: 'Data channel is missing', code: 10 }));

      assert.match(reasonOf(wrongIndex), /^the token may not write to this index: status 400/);
      assert.match(
        reasonOf(noChannel),
        /^the token wants indexer acknowledgement, so ack must be true: status 400/,
      );
    });

    it('counts under any content type', async () => {
      const body = '{"text":"Success","code":0}';

      assert.deepEqual(await answered({ status: 200, body }), { kind: 'accepted' });
    });

    it('hands on Retry-After', async () => {
      const result = await answered(json(503, { text: 'Server is busy', code: 9 }, { 'retry-after': '11' }));

      assert.ok(result.kind === 'retry');
      assert.equal(result.afterMs, 11_000);
    });
  });

  describe('number of the refused event', () => {
    const bad = (code: number, number: unknown) =>
      answered(json(400, { text: 'Invalid data format', code, 'invalid-event-number': number }));

    for (const code of [6, 12, 13, 15]) {
      it(`sets that row aside and sends those behind it again after code ${code}`, async () => {
        const result = await bad(code, 1);

        assert.ok(result.kind === 'partial');
        assert.deepEqual(
          result.rejected.map(({ index }) => index),
          [1],
        );
        assert.match(result.rejected[0]?.reason ?? '', /Invalid data format/);
        assert.deepEqual(result.retry, [2, 3]);
      });
    }

    it('leaves nothing to send again when it is the last', async () => {
      const result = await bad(6, 3);

      assert.deepEqual(result.kind === 'partial' && result.retry, []);
    });

    it('leaves it to delivery to find the row when none was taken before it', async () => {
      assert.equal(kindOf(await bad(6, 0)), 'refused invalid');
    });

    for (const number of [4, -1, 1.5, 'x', null, {}]) {
      it(`is none of the batch when it is ${JSON.stringify(number)}`, async () => {
        assert.equal(kindOf(await bad(6, number)), 'refused invalid');
      });
    }

    for (const code of [8, 9, 26]) {
      it(`means nothing beside code ${code}`, async () => {
        const result = await answered(json(503, { text: 'Server is busy', code, 'invalid-event-number': 2 }));

        assert.equal(result.kind, 'retry');
      });
    }
  });

  describe('answer that is no event collector’s', () => {
    const noAcks: Readonly<Record<string, ScriptedAnswer>> = {
      'a login page': { status: 200, headers: HTML, body: '<title>Sign in</title>' },
      'an empty body': json(200, ''),
      'no content': { status: 204 },
      'JSON without a code': json(200, { text: 'Success' }),
      'JSON without a text': json(200, { code: 0 }),
      'a code that is no number': json(200, { text: 'Success', code: true }),
      'JSON that is no object': json(200, 'null'),
      'JSON that is cut': json(200, '{"text":"Success","code":0'),
    };
    for (const [name, answer] of Object.entries(noAcks)) {
      it(`acknowledges nothing: ${name}`, async () => {
        const result = await answered(answer);

        assert.equal(result.kind, 'retry');
        assert.match(reasonOf(result), new RegExp(`no acknowledgement.*status ${answer.status}`));
      });
    }

    for (const [status, kind] of [
      [302, 'retry'],
      [400, 'retry'],
      [401, 'unauthorized'],
      [403, 'unauthorized'],
      [404, 'retry'],
      [413, 'refused too_large'],
      [422, 'retry'],
      [429, 'retry'],
      [500, 'retry'],
      [502, 'retry'],
      [504, 'retry'],
    ] as const) {
      it(`status ${status} of a gateway means ${kind}`, async () => {
        const result = await answered({ status, headers: HTML, body: '<h1>Bad Gateway</h1>' });

        assert.equal(kindOf(result), kind);
        assert.match(reasonOf(result), new RegExp(`status ${status}, text/html, "<h1>Bad Gateway</h1>"`));
      });
    }
  });

  describe('probe', () => {
    async function probed(...script: ScriptedAnswer[]) {
      const server = await startScriptedServer(script);
      const result = await hecSink({ url: server.url }).probe(NEVER);
      return { result, requests: server.requests.map(({ method, path }) => `${method} ${path}`) };
    }

    it('asks for health, then shows the token without an event', async () => {
      const { result, requests } = await probed(HEALTHY, NO_DATA);

      assert.deepEqual(result, { ok: true });
      assert.deepEqual(requests, ['GET /services/collector/health', 'POST /services/collector/event']);
    });

    it('takes a collector that calls itself healthy under another code', async () => {
      const { result } = await probed(json(200, { text: 'HEC is healthy', code: 200 }), HEC_SUCCESS);

      assert.deepEqual(result, { ok: true });
    });

    for (const [name, script, reason] of [
      ['full queues', [json(503, { text: 'queues are full', code: 18 })], /queues are full/],
      ['a token that health refuses', [json(400, { text: 'Invalid token', code: 21 })], /Invalid token/],
      ['a login page', [{ status: 200, headers: HTML, body: 'Sign in' }], /Sign in/],
      ['a wrong token', [HEALTHY, json(403, { text: 'Invalid token', code: 4 })], /Invalid token/],
      [
        'a token that wants acknowledgement',
        [HEALTHY, json(400, { text: 'Data channel is missing', code: 10 })],
        /ack must be true/,
      ],
      ['a gateway behind health', [HEALTHY, { status: 502, headers: HTML, body: 'bad' }], /status 502/],
    ] as const) {
      it(`is not content with ${name}`, async () => {
        const { result } = await probed(...script);

        assert.ok(!result.ok);
        assert.match(result.reason, reason);
      });
    }
  });

  it('shows the token in no reason and no line of the log', async () => {
    const lines: string[] = [];
    const echo = { status: 500, body: `you sent ${TOKEN}` };
    const server = await startScriptedServer([
      echo,
      { ...echo, status: 200 },
      json(400, { text: `bad ${TOKEN}`, code: 6, 'invalid-event-number': 1 }),
      { status: 415 },
      echo,
    ]);
    const sink = hecSink({ url: server.url }, { logger: recordingLogger(lines) });

    const shown = [];
    for (let round = 0; round < 4; round++)
      shown.push(JSON.stringify(await sink.send(batchOf(rowsOf(3)), NEVER)));
    shown.push(JSON.stringify(await sink.probe(NEVER)), ...lines);

    assert.equal(lines.length, 1);
    assert.ok(!shown.join('\n').includes(TOKEN));
    assert.match(shown.join('\n'), /bad \[secret\]/);
  });
});
