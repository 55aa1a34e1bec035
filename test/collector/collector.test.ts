import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { certificate, certificatePath, httpSink, NEVER, reasonOf } from '../agent/sinks/support.ts';
import { batchOf, rowsOf } from '../support/batches.ts';
import { tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';
import { call, hostsOf, query, raw, send, startCollector, TOKENS } from './support.ts';

describe('collector/collector', () => {
  describe('credential', () => {
    for (const [name, authorization] of [
      ['none', undefined],
      ['another token', 'Bearer wrong'],
      ['the beginning of a token', `Bearer ${TOKENS[0]?.slice(0, 5)}`],
      ['a token and more', `Bearer ${TOKENS[0]}x`],
      ['two tokens', `Bearer ${TOKENS[0]} ${TOKENS[1]}`],
      ['another scheme', `Basic ${TOKENS[0]}`],
      ['an empty token', 'Bearer '],
    ] as const) {
      it(`401 everywhere for ${name}`, async () => {
        const collector = await startCollector();
        const headers = { authorization };

        const replies = [
          await send(collector, rowsOf(1), { headers }),
          await call(collector, { headers }),
          await call(collector, { path: '/v1/hosts', headers }),
          await call(collector, { path: '/v1/sessions', headers }),
        ];

        assert.deepEqual(
          replies.map(({ status }) => status),
          [401, 401, 401, 401],
        );
        assert.equal(replies[0]?.headers['www-authenticate'], 'Bearer');
        assert.equal(collector.stats().rows, 0);
      });
    }

    it('takes every token that is configured', async () => {
      const collector = await startCollector();

      for (const token of TOKENS) {
        const { status } = await send(collector, rowsOf(1), {
          headers: { authorization: `Bearer ${token}` },
        });

        assert.equal(status, 200);
      }
    });

    it('takes no empty token, which a request without one would match', async () => {
      await assert.rejects(startCollector({ tokens: ['good', ' '] }), { code: 'COLLECTOR_TOKEN' });
    });

    it('needs none on loopback without tokens, but only under a loopback name', async () => {
      const collector = await startCollector({ tokens: [] });
      const headers = { authorization: undefined };

      const mine = await send(collector, rowsOf(1), { headers });
      const page = await call(collector, { headers: { ...headers, host: 'evil.example.com' } });

      assert.deepEqual([mine.status, page.status], [200, 403]);
    });
  });

  it('tells its health, and more to who has a token', async () => {
    const collector = await startCollector();
    await send(collector, rowsOf(3));
    const path = '/v1/health';

    const open = await call(collector, { path, headers: { authorization: undefined } });
    const known = await call(collector, { path });
    const wrong = await call(collector, { path, headers: { authorization: 'Bearer wrong' } });

    assert.deepEqual(JSON.parse(open.body), { status: 'ok' });
    assert.deepEqual(JSON.parse(known.body), { status: 'ok', rows: 3, hosts: 1 });
    assert.equal(wrong.status, 401);
  });

  describe('binding', () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'collector.example.com']) {
      it(`refuses ${host} without a token and TLS`, async () => {
        await assert.rejects(startCollector({ host }), { code: 'COLLECTOR_OPEN' });
        await assert.rejects(startCollector({ host, tokens: [] }), { code: 'COLLECTOR_OPEN' });
      });
    }

    it('listens anywhere when that is allowed', async () => {
      const collector = await startCollector({ host: '0.0.0.0', allowInsecure: true });

      const { status } = await send(collector, rowsOf(1));

      assert.equal(status, 200);
    });

    it('says what to do when the port is taken', async () => {
      const first = await startCollector();

      await assert.rejects(startCollector({ port: first.port }), { code: 'COLLECTOR_LISTEN' });
    });
  });

  describe('hostile requests', () => {
    for (const [name, method, path, status] of [
      ['another path', 'GET', '/', 404],
      ['a way up', 'GET', '/v1/../../etc/passwd', 404],
      ['an encoded way up', 'GET', '/v1/%2e%2e/rows', 404],
      ['a double slash', 'GET', '//v1/rows', 404],
      ['a whole URL', 'GET', 'http://evil.example.com/v1/rows', 404],
      ['a name of every object', 'GET', '/__proto__', 404],
      ['a trailing slash', 'GET', '/v1/rows/', 404],
      ['PUT', 'PUT', '/v1/rows', 405],
      ['DELETE', 'DELETE', '/v1/rows', 405],
      ['POST to health', 'POST', '/v1/health', 405],
    ] as const) {
      it(`${status} for ${name}`, async () => {
        const collector = await startCollector();

        const reply = await call(collector, { method, path });

        assert.equal(reply.status, status);
        assert.equal(reply.headers['content-type'], 'application/json');
      });
    }

    it('names the methods of a path', async () => {
      const collector = await startCollector();

      const { headers } = await call(collector, { method: 'PATCH' });

      assert.equal(headers['allow'], 'POST, GET');
    });

    it('431 for huge headers', async () => {
      const collector = await startCollector();

      const text = await raw(
        collector,
        `GET /v1/health HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`,
      );

      assert.match(text, /^HTTP\/1\.1 431 /);
    });

    it('400 for what is no HTTP', async () => {
      const collector = await startCollector();

      assert.match(await raw(collector, '\u0016\u0003\u0001garbage\r\n\r\n'), /^HTTP\/1\.1 400 /);
    });

    it('400 for two lengths that differ', async () => {
      const collector = await startCollector();
      const head = 'POST /v1/rows HTTP/1.1\r\nhost: localhost\r\n';

      const text = await raw(
        collector,
        `${head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      );

      assert.match(text, /^HTTP\/1\.1 400 /);
    });

    it('ends a connection whose headers or body do not come', async () => {
      const collector = await startCollector({ limits: { headersTimeoutMs: 300, requestTimeoutMs: 600 } });
      const head = `POST /v1/rows HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKENS[0]}\r\n`;
      const body =
        'content-type: application/x-ndjson\r\nx-holdfast-host: h\r\nx-holdfast-epoch: e\r\nx-holdfast-rows: 1\r\n' +
        `x-holdfast-batch: ${'0'.repeat(32)}\r\ncontent-length: 100\r\n\r\n{"seq"`;

      const [slowHead, slowBody] = await Promise.all([raw(collector, head), raw(collector, head + body)]);

      assert.match(slowHead, /^HTTP\/1\.1 408 /);
      assert.match(slowBody, /^(HTTP\/1\.1 408 |$)/);
    });

    it('goes on after a sender that hangs up in the middle', async () => {
      const collector = await startCollector();
      const head = `POST /v1/rows HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKENS[0]}\r\n`;
      const socket = connect(collector.port, '127.0.0.1');
      socket.write(`${head}content-length: 1000\r\n\r\nabc`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.resetAndDestroy();

      const { status } = await until('an answer', () => send(collector, rowsOf(1)));

      assert.equal(status, 200);
    });
  });

  describe('database', () => {
    it('belongs to its owner alone', async () => {
      const dir = join(tempDir(), 'collector');

      await startCollector({ dir });

      assert.equal(statSync(dir).mode & 0o777, 0o700);
      assert.equal(statSync(join(dir, 'collector.sqlite3')).mode & 0o777, 0o600);
    });

    it('is refused when it is no database or a newer one', async () => {
      const [garbage, newer] = [tempDir(), tempDir()];
      writeFileSync(
        join(garbage, 'collector.sqlite3'),
        'not a database at all, but long enough to be looked at',
      );
      const db = new Database(join(newer, 'collector.sqlite3'));
      db.pragma('user_version = 99');
      db.close();

      await assert.rejects(startCollector({ dir: garbage }), { code: 'COLLECTOR_DATABASE' });
      await assert.rejects(startCollector({ dir: newer }), { code: 'COLLECTOR_NEWER' });
    });

    it('is written through to the disk before the answer', async () => {
      const dir = tempDir();
      const collector = await startCollector({ dir });

      await send(collector, rowsOf(2));
      const reader = new Database(join(dir, 'collector.sqlite3'), { readonly: true });
      const count = reader.prepare('SELECT count(*) FROM rows').pluck().get();
      reader.close();

      assert.equal(count, 2);
    });

    it('answers 507 when it is full, keeps nothing of that batch, and serves on', async () => {
      const collector = await startCollector({ limits: { maxDatabaseBytes: 512 * 1024 } });
      await send(collector, rowsOf(1));
      const big = rowsOf(50, 2).map((row) => ({ ...row, text: 'x'.repeat(50_000) }));

      const failed = await send(collector, big);
      const next = await send(collector, rowsOf(1, 100));

      assert.equal(failed.status, 507);
      assert.equal(next.status, 200);
      assert.deepEqual(await query(collector), ['row 1', 'row 100']);
      assert.equal((await hostsOf(collector))[0].last_seq, 100);
    });
  });

  describe('TLS', () => {
    const tls = { cert: certificate('server.pem'), key: certificate('server.key') };

    it('serves over TLS', async () => {
      const collector = await startCollector({ tls });
      const sink = httpSink({ url: collector.url.replace('127.0.0.1', 'localhost'), ...tokenAndAuthority() });

      const result = await sink.send(batchOf(rowsOf(3)), NEVER);

      assert.match(collector.url, /^https:/);
      assert.deepEqual(result, { kind: 'accepted' });
    });

    it('serves only senders with a certificate once it has an authority for them', async () => {
      const collector = await startCollector({ tls: { ...tls, ca: certificate('ca.pem') } });
      const pair = { certFile: certificatePath('client.pem'), keyFile: certificatePath('client.key') };

      const without = await httpSink({ url: collector.url, ...tokenAndAuthority() }).send(
        batchOf(rowsOf(1)),
        NEVER,
      );
      const known = await httpSink({ url: collector.url, ...tokenAndAuthority(), ...pair }).send(
        batchOf(rowsOf(1)),
        NEVER,
      );

      assert.match(reasonOf(without), /client certificate/);
      assert.deepEqual(known, { kind: 'accepted' });
      assert.equal(collector.stats().rows, 1);
    });
  });
});

function tokenAndAuthority() {
  const tokenFile = join(tempDir(), 'token');
  writeFileSync(tokenFile, TOKENS[0] ?? '');
  return { tokenFile, caFile: certificatePath('ca.pem') };
}
