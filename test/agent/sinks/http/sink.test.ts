import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import type { SendResult } from '../../../../agent/contract/sink.ts';
import { batchOf, rowsOf, textsOf } from '../../../support/batches.ts';
import {
  type Behaviour,
  collectorAck,
  type ScriptedAnswer,
  startScriptedServer,
} from '../../../support/scripted-server.ts';
import { sinkContract } from '../../../support/sink-contract.ts';
import { tempDir } from '../../../support/temp.ts';
import { httpSink, NEVER, reasonOf, TOKEN } from '../support.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends one batch of four rows to a server that answers once as told. */
async function answered(step: ScriptedAnswer | Behaviour, timeoutMs = 5000): Promise<SendResult> {
  const server = await startScriptedServer([step]);
  return await httpSink({ url: server.url, timeoutMs }).send(batchOf(rowsOf(4)), NEVER);
}

for (const compression of ['gzip', 'zstd', 'none'] as const) {
  sinkContract(`http with ${compression}`, async () => {
    let broken = false;
    const received: string[] = [];
    const server = await startScriptedServer([], {
      success(request) {
        if (broken) return { status: 503, body: 'down for maintenance' };
        received.push(...textsOf(request.body));
        return collectorAck(request);
      },
    });
    return {
      sink: httpSink({ url: server.url, compression }),
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

describe('agent/sinks/http/sink', () => {
  describe('request', () => {
    it('posts NDJSON to /v1/rows with what the collector needs to know', async () => {
      const server = await startScriptedServer([]);
      const batch = batchOf(rowsOf(4));

      await httpSink({ url: `${server.url}/base/` }).send(batch, NEVER);

      const [request] = server.requests;
      assert.equal(request?.method, 'POST');
      assert.equal(request?.path, '/base/v1/rows');
      assert.ok(request?.body.equals(batch.ndjson));
      const { headers } = request!;
      assert.equal(headers['content-type'], 'application/x-ndjson');
      assert.equal(headers['content-encoding'], 'gzip');
      assert.equal(headers['content-length'], String(request?.raw.length));
      assert.equal(headers['accept-encoding'], 'identity');
      assert.equal(headers.authorization, `Bearer ${TOKEN}`);
      assert.equal(headers['user-agent'], 'holdfast/1.2.3');
      assert.equal(headers['x-holdfast-batch'], batch.id);
      assert.equal(headers['x-holdfast-host'], 'host-1');
      assert.equal(headers['x-holdfast-epoch'], 'epoch-1');
      assert.equal(headers['x-holdfast-rows'], '4');
    });

    it('does not append the path twice', async () => {
      const server = await startScriptedServer([]);

      await httpSink({ url: `${server.url}/v1/rows` }).send(batchOf(rowsOf(1)), NEVER);

      assert.equal(server.requests[0]?.path, '/v1/rows');
    });

    it('compresses as configured', async () => {
      const server = await startScriptedServer([]);
      const batch = batchOf(rowsOf(200));

      await httpSink({ url: server.url, compression: 'zstd' }).send(batch, NEVER);
      await httpSink({ url: server.url, compression: 'none' }).send(batch, NEVER);

      const [zstd, none] = server.requests;
      assert.equal(zstd?.headers['content-encoding'], 'zstd');
      assert.ok(zstdDecompressSync(zstd?.raw ?? '').equals(batch.ndjson));
      assert.equal(none?.headers['content-encoding'], undefined);
      assert.ok(none?.raw.equals(batch.ndjson));
      assert.ok((zstd?.raw.length ?? 0) < batch.ndjson.length / 4);
    });

    it('sends the same bytes again on a retry', async () => {
      const server = await startScriptedServer([{ status: 503 }]);
      const sink = httpSink({ url: server.url });
      const batch = batchOf(rowsOf(100));

      await sink.send(batch, NEVER);
      await sink.send({ ...batch, ndjson: Buffer.from('{"other":1}\n') }, NEVER);

      const [first, second] = server.requests;
      assert.ok(second?.raw.equals(first?.raw ?? Buffer.alloc(0)));
    });

    it('takes a simpler encoding after 415', async () => {
      const server = await startScriptedServer([{ status: 415 }, { status: 415 }]);
      const sink = httpSink({ url: server.url, compression: 'zstd' });
      const batch = batchOf(rowsOf(4));

      const results = [
        await sink.send(batch, NEVER),
        await sink.send(batch, NEVER),
        await sink.send(batch, NEVER),
      ];

      assert.deepEqual(
        results.map(({ kind }) => kind),
        ['retry', 'retry', 'accepted'],
      );
      assert.deepEqual(
        server.requests.map(({ headers }) => headers['content-encoding']),
        ['zstd', 'gzip', undefined],
      );
    });

    it('keeps the connection for the next batch', async () => {
      const sockets = new Set<unknown>();
      const note: Behaviour = (response, request) => {
        sockets.add(response.socket);
        response.writeHead(200, JSON_TYPE).end(JSON.stringify(collectorAck(request).body));
      };
      const server = await startScriptedServer([note, note, note]);
      const sink = httpSink({ url: server.url });

      for (let seq = 1; seq <= 3; seq++) await sink.send(batchOf(rowsOf(1, seq)), NEVER);

      assert.equal(server.requests.length, 3);
      assert.equal(sockets.size, 1);
    });

    it('does not fail a batch because a kept connection was closed meanwhile', async () => {
      const ackAndClose: Behaviour = (response, request) => {
        const { socket } = response;
        response.writeHead(200, JSON_TYPE).end(JSON.stringify(collectorAck(request).body));
        response.once('close', () => setImmediate(() => socket?.destroy()));
      };
      const server = await startScriptedServer([ackAndClose, ackAndClose]);
      const sink = httpSink({ url: server.url });

      const results = [
        await sink.send(batchOf(rowsOf(1)), NEVER),
        await sink.send(batchOf(rowsOf(1, 2)), NEVER),
      ];

      assert.deepEqual(results, [{ kind: 'accepted' }, { kind: 'accepted' }]);
    });
  });

  it('sends again at once when a kept connection ends without a word, but only then', async () => {
    const hangUp: Behaviour = (response) => void response.socket?.destroy();
    const ack: Behaviour = (response, request) =>
      void response.writeHead(200, JSON_TYPE).end(JSON.stringify(collectorAck(request).body));
    const server = await startScriptedServer([ack, hangUp, ack, hangUp, hangUp]);
    const sink = httpSink({ url: server.url });
    await sink.send(batchOf(rowsOf(1)), NEVER);

    const kept = await sink.send(batchOf(rowsOf(1, 2)), NEVER);
    const requests = server.requests.length;
    const twice = await sink.send(batchOf(rowsOf(1, 3)), NEVER);

    assert.deepEqual(kept, { kind: 'accepted' });
    assert.equal(requests, 3);
    assert.equal(twice.kind, 'retry');
    assert.equal(server.requests.length, 5);
  });

  it('sends rows under the epoch that numbered them', async () => {
    const server = await startScriptedServer([]);
    const sink = httpSink({ url: server.url });

    await sink.send({ ...batchOf(rowsOf(1)), epoch: 'epoch-0' }, NEVER);
    await sink.send(batchOf(rowsOf(1)), NEVER);

    assert.deepEqual(
      server.requests.map(({ headers }) => headers['x-holdfast-epoch']),
      ['epoch-0', 'epoch-1'],
    );
  });

  it('asks for a retry when a header cannot carry what it should', async () => {
    const server = await startScriptedServer([]);
    const origin = { hostId: 'host\n1', epoch: 'epoch-1' };

    const result = await httpSink({ url: server.url }, { origin }).send(batchOf(rowsOf(1)), NEVER);

    assert.match(reasonOf(result), /ERR_INVALID_CHAR/);
    assert.equal(server.requests.length, 0);
  });

  describe('acknowledgement', () => {
    it('hands on the rows that the collector rejects', async () => {
      const batch = batchOf(rowsOf(4));
      const rejected = [{ index: 2, row_id: batch.rowIds[2], reason: 'schema is not 1' }];

      const result = await answered({
        status: 200,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: { batch: batch.id, accepted: 2, duplicates: 1, rejected },
      });

      assert.deepEqual(result, {
        kind: 'partial',
        rejected: [{ index: 2, reason: 'schema is not 1' }],
        retry: [],
      });
    });

    const { id, rowIds } = batchOf(rowsOf(4));
    const good = { batch: id, accepted: 4, duplicates: 0, rejected: [] };
    const noAcks: Readonly<Record<string, ScriptedAnswer>> = {
      'a login page': {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<title>Sign in</title>',
      },
      'an empty body': { status: 200, headers: JSON_TYPE, body: '' },
      'no content': { status: 204 },
      'a good body under another content type': {
        status: 200,
        headers: { 'content-type': 'text/plain' },
        body: good,
      },
      'the id of another batch': {
        status: 200,
        headers: JSON_TYPE,
        body: { ...good, batch: '0'.repeat(32) },
      },
      'a count that is too small': { status: 200, headers: JSON_TYPE, body: { ...good, accepted: 3 } },
      'a count that is too large': { status: 200, headers: JSON_TYPE, body: { ...good, duplicates: 1 } },
      'a negative count': { status: 200, headers: JSON_TYPE, body: { ...good, accepted: 5, duplicates: -1 } },
      'a count that is text': { status: 200, headers: JSON_TYPE, body: { ...good, accepted: '4' } },
      'a rejected row that was not sent': {
        status: 200,
        headers: JSON_TYPE,
        body: { ...good, accepted: 3, rejected: [{ index: 4, reason: 'x' }] },
      },
      'a row rejected twice': {
        status: 200,
        headers: JSON_TYPE,
        body: { ...good, accepted: 2, rejected: [{ index: 1 }, { index: 1 }] },
      },
      'a rejected row under the id of another': {
        status: 200,
        headers: JSON_TYPE,
        body: { ...good, accepted: 3, rejected: [{ index: 1, row_id: rowIds[0], reason: 'x' }] },
      },
      'JSON that is no object': { status: 200, headers: JSON_TYPE, body: 'null' },
      'JSON that is cut': { status: 200, headers: JSON_TYPE, body: '{"batch":' },
      'an answer in another encoding': {
        status: 200,
        headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
        body: 'x',
      },
    };
    for (const [name, answer] of Object.entries(noAcks)) {
      it(`is not ${name}`, async () => {
        const result = await answered(answer);

        assert.equal(result.kind, 'retry');
        assert.match(reasonOf(result), new RegExp(`no acknowledgement.*status ${answer.status}`));
      });
    }

    it('names status, content type and first characters of what it got instead', async () => {
      const result = await answered({
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<!doctype html>\n<title>Sign in</title>',
      });

      assert.match(reasonOf(result), /status 200, text\/html, "<!doctype html> <title>Sign in<\/title>"/);
    });

    it('does not show the token when the server sends the request back', async () => {
      const result = await answered({
        status: 200,
        headers: { 'content-type': TOKEN },
        body: `you sent ${TOKEN}`,
      });

      assert.ok(!reasonOf(result).includes(TOKEN));
      assert.match(reasonOf(result), /you sent \[secret\]/);
    });
  });

  describe('status', () => {
    const kinds: readonly (readonly [number, string])[] = [
      [301, 'retry'],
      [302, 'retry'],
      [307, 'retry'],
      [308, 'retry'],
      [400, 'refused invalid'],
      [401, 'unauthorized'],
      [403, 'unauthorized'],
      [404, 'retry'],
      [405, 'retry'],
      [407, 'retry'],
      [408, 'retry'],
      [409, 'retry'],
      [413, 'refused too_large'],
      [422, 'refused invalid'],
      [425, 'retry'],
      [429, 'retry'],
      [500, 'retry'],
      [502, 'retry'],
      [503, 'retry'],
      [504, 'retry'],
      [507, 'retry'],
      [599, 'retry'],
    ];
    for (const [status, kind] of kinds) {
      it(`${status} means ${kind}`, async () => {
        const result = await answered({ status, headers: { 'content-type': 'text/plain' }, body: 'because' });

        assert.equal(result.kind === 'refused' ? `refused ${result.cause}` : result.kind, kind);
        assert.match(reasonOf(result), new RegExp(String(status)));
      });
    }

    it('does not follow a redirect', async () => {
      const other = await startScriptedServer([]);
      const server = await startScriptedServer([
        { status: 307, headers: { location: `${other.url}/v1/rows` } },
      ]);

      const result = await httpSink({ url: server.url }).send(batchOf(rowsOf(4)), NEVER);

      assert.match(reasonOf(result), /redirects are not followed/);
      assert.equal(other.requests.length, 0);
    });

    it('hands on Retry-After in seconds', async () => {
      const result = await answered({ status: 429, headers: { 'retry-after': '7' } });

      assert.ok(result.kind === 'retry');
      assert.equal(result.afterMs, 7000);
    });

    it('measures a Retry-After date by the clock of the answer', async () => {
      const result = await answered({
        status: 503,
        headers: { date: 'Wed, 01 Jan 2020 00:00:00 GMT', 'retry-after': 'Wed, 01 Jan 2020 00:02:00 GMT' },
      });

      assert.ok(result.kind === 'retry');
      assert.equal(result.afterMs, 120_000);
    });
  });

  describe('hostile other end', () => {
    it('gives up on one that accepts and never answers', async () => {
      const result = await answered(() => {}, 300);

      assert.match(reasonOf(result), /no complete answer within 0.3 s/);
    });

    it('gives up on one that answers a byte at a time', async () => {
      const drip: Behaviour = (response) => {
        response.writeHead(200, JSON_TYPE);
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      };

      const result = await answered(drip, 400);

      assert.match(reasonOf(result), /no complete answer within 0.4 s/);
    });

    it('reads no more than a mebibyte of an endless answer', async () => {
      let sent = 0;
      const flood: Behaviour = (response) => {
        response.writeHead(200, JSON_TYPE);
        const chunk = Buffer.alloc(64 * 1024, 0x20);
        const pump = () => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        };
        response.on('drain', pump);
        pump();
      };

      const result = await answered(flood);

      assert.equal(result.kind, 'retry');
      assert.ok(sent < 64 << 20, `${sent} bytes were sent`);
    });

    it('does not unpack what it did not ask to be packed', async () => {
      const bomb = gzipSync(Buffer.alloc(8 << 20));

      const result = await answered((response) => {
        response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb);
      });

      assert.equal(gunzipSync(bomb).length, 8 << 20);
      assert.match(reasonOf(result), /no acknowledgement/);
    });

    it('asks for a retry when the answer is cut', async () => {
      const result = await answered((response) => {
        response.writeHead(200, { ...JSON_TYPE, 'content-length': '500' }).write('{"batch":');
        setTimeout(() => response.socket?.resetAndDestroy(), 50);
      });

      assert.match(reasonOf(result), /closed before the answer was complete/);
    });

    it('asks for a retry when the connection is reset', async () => {
      const result = await answered((response) => void response.socket?.resetAndDestroy());

      assert.match(reasonOf(result), /closed before the answer was complete/);
    });

    it('takes no endless header', async () => {
      const result = await answered((response: ServerResponse) => {
        response.socket?.write(`HTTP/1.1 200 OK\r\nx-fill: ${'a'.repeat(100_000)}`);
      });

      assert.equal(result.kind, 'retry');
    });

    it('names what cannot be reached', async () => {
      const server = await startScriptedServer([]);
      await server.close();

      const result = await httpSink({ url: server.url }).send(batchOf(rowsOf(1)), NEVER);

      assert.match(reasonOf(result), new RegExp(`localhost:${server.port}: nothing listens there`));
    });

    it('stops at once when it is told to', async () => {
      const server = await startScriptedServer([() => {}]);
      const stop = new AbortController();
      const sending = httpSink({ url: server.url }).send(batchOf(rowsOf(1)), stop.signal);
      setTimeout(() => stop.abort(), 50);

      const result = await sending;

      assert.equal(result.kind, 'retry');
    });
  });

  describe('token', () => {
    it('is read from its file for every request', async () => {
      const server = await startScriptedServer([{ status: 401 }]);
      const tokenFile = join(tempDir(), 'token');
      writeFileSync(tokenFile, 'old-token\n');
      const sink = httpSink({ url: server.url, tokenEnv: null, tokenFile });

      const refused = await sink.send(batchOf(rowsOf(1)), NEVER);
      writeFileSync(tokenFile, 'new-token\n');
      const taken = await sink.send(batchOf(rowsOf(1)), NEVER);

      assert.equal(refused.kind, 'unauthorized');
      assert.equal(taken.kind, 'accepted');
      assert.deepEqual(
        server.requests.map(({ headers }) => headers.authorization),
        ['Bearer old-token', 'Bearer new-token'],
      );
    });

    for (const [name, content, reason] of [
      ['missing', undefined, /token file .* cannot be read: ENOENT/],
      ['empty', '\n', /token file .* is empty/],
      ['not printable', 'a\u0000b', /token holds characters other than printable ASCII/],
    ] as const) {
      it(`keeps rows back while its file is ${name}`, async () => {
        const server = await startScriptedServer([]);
        const tokenFile = join(tempDir(), 'token');
        if (content !== undefined) writeFileSync(tokenFile, content);

        const result = await httpSink({ url: server.url, tokenEnv: null, tokenFile }).send(
          batchOf(rowsOf(1)),
          NEVER,
        );

        assert.equal(result.kind, 'unauthorized');
        assert.match(reasonOf(result), reason);
        assert.equal(server.requests.length, 0);
      });
    }

    it('is not sent when none is configured', async () => {
      const server = await startScriptedServer([]);

      await httpSink({ url: server.url, tokenEnv: null }).send(batchOf(rowsOf(1)), NEVER);

      assert.equal(server.requests[0]?.headers.authorization, undefined);
    });
  });

  describe('address', () => {
    const refused: Readonly<Record<string, Parameters<typeof httpSink>[0]>> = {
      'plain http to another machine': { url: 'http://collector.example.com' },
      'plain http to loopback through a proxy elsewhere': {
        url: 'http://127.0.0.1:1',
        proxy: 'http://proxy.example.com:3128',
      },
      'a user name in the URL': { url: 'https://alice:pw@collector.example.com' },
      'another scheme': { url: 'ftp://collector.example.com' },
      'a proxy of another scheme': {
        url: 'https://collector.example.com',
        proxy: 'socks5://proxy.example.com',
      },
    };
    for (const [name, config] of Object.entries(refused)) {
      it(`refuses ${name}`, () => {
        assert.throws(() => httpSink(config), { code: 'SINK_ADDRESS' });
      });
    }

    for (const url of [
      'http://127.0.0.1:1',
      'http://[::1]:1',
      'http://localhost:1',
      'https://collector.example.com',
    ]) {
      it(`takes ${url}`, () => {
        assert.equal(httpSink({ url }).id, 'central');
      });
    }

    it('takes plain http to another machine when that is allowed', () => {
      assert.equal(httpSink({ url: 'http://collector.example.com', allowInsecure: true }).id, 'central');
    });
  });

  it('probes with a batch of no rows', async () => {
    const server = await startScriptedServer([]);

    const result = await httpSink({ url: server.url }).probe(NEVER);

    assert.deepEqual(result, { ok: true });
    assert.equal(server.requests[0]?.headers['x-holdfast-rows'], '0');
    assert.equal(server.requests[0]?.body.length, 0);
  });

  it('says in a probe why the credential is not taken', async () => {
    const server = await startScriptedServer([{ status: 401, body: 'who are you' }]);

    const result = await httpSink({ url: server.url }).probe(NEVER);

    assert.deepEqual(result, { ok: false, reason: 'status 401, no content type, "who are you"' });
  });
});
