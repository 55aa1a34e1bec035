import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpSinkConfig } from '../../../../agent/sinks/config.ts';
import { batchOf, rowsOf } from '../../../support/batches.ts';
import { PROXY_CREDENTIAL, type ProxyMode, startConnectProxy } from '../../../support/connect-proxy.ts';
import { startScriptedServer } from '../../../support/scripted-server.ts';
import { tempDir } from '../../../support/temp.ts';
import { until } from '../../../support/until.ts';
import { certificatePath, httpSink, NEVER, reasonOf, serverTls, TOKEN } from '../support.ts';

const BATCH = batchOf(rowsOf(2));
const BASIC = `Basic ${Buffer.from(PROXY_CREDENTIAL).toString('base64')}`;

/** A TLS server, a proxy, and a sink that goes through it. */
async function behindProxy(mode: ProxyMode, changes: Partial<HttpSinkConfig> = {}) {
  const proxy = await startConnectProxy(mode);
  const server = await startScriptedServer([], { tls: serverTls() });
  const caFile = certificatePath('ca.pem');
  const sink = httpSink({ url: server.url, caFile, proxy: proxy.url, ...changes });
  return { proxy, server, sink };
}

describe('agent/sinks/transport/tunnel', () => {
  it('reaches an https collector by CONNECT, once for many batches', async () => {
    const { proxy, server, sink } = await behindProxy('open');

    const results = [await sink.send(BATCH, NEVER), await sink.send(BATCH, NEVER)];

    assert.deepEqual(results, [{ kind: 'accepted' }, { kind: 'accepted' }]);
    assert.deepEqual(proxy.seen, [{ line: `CONNECT localhost:${server.port}`, authorization: undefined }]);
    assert.equal(server.requests[0]?.headers.authorization, `Bearer ${TOKEN}`);
    assert.equal(server.requests[0]?.headers['proxy-authorization'], undefined);
  });

  it('verifies the certificate behind the proxy', async () => {
    const { server, sink } = await behindProxy('open', { caFile: null });

    const result = await sink.send(BATCH, NEVER);

    assert.match(reasonOf(result), /an authority that is not trusted here/);
    assert.equal(server.requests.length, 0);
  });

  it('presents the credential from its file, read again for every connection', async () => {
    const proxyAuthFile = join(tempDir(), 'proxy-auth');
    writeFileSync(proxyAuthFile, 'user:wrong\n');
    const { proxy, sink } = await behindProxy('auth', { proxyAuthFile });

    const refused = await sink.send(BATCH, NEVER);
    writeFileSync(proxyAuthFile, `${PROXY_CREDENTIAL}\n`);
    const taken = await sink.send(BATCH, NEVER);

    assert.match(reasonOf(refused), /the proxy 127\.0\.0\.1:\d+ answered 407/);
    assert.deepEqual(taken, { kind: 'accepted' });
    assert.equal(proxy.seen.at(-1)?.authorization, BASIC);
  });

  it('presents a credential that stands in the URL', async () => {
    const proxy = await startConnectProxy('auth');
    const server = await startScriptedServer([], { tls: serverTls() });
    const address = proxy.url.replace('//', '//user:p%40ss%3Aword@');

    const result = await httpSink({
      url: server.url,
      caFile: certificatePath('ca.pem'),
      proxy: address,
    }).send(BATCH, NEVER);

    assert.deepEqual(result, { kind: 'accepted' });
    assert.equal(proxy.seen[0]?.authorization, BASIC);
  });

  for (const [mode, reason] of [
    ['auth', /the proxy 127\.0\.0\.1:\d+ answered 407: it wants a user name and password/],
    ['deny', /the proxy 127\.0\.0\.1:\d+ does not let us through: status 403/],
    ['drop', /the proxy 127\.0\.0\.1:\d+ cannot be used/],
  ] as const) {
    it(`asks for a retry and goes no other way when the proxy is in mode ${mode}`, async () => {
      const { server, sink } = await behindProxy(mode);

      const result = await sink.send(BATCH, NEVER);

      assert.equal(result.kind, 'retry');
      assert.match(reasonOf(result), reason);
      assert.equal(server.requests.length, 0);
    });
  }

  for (const mode of ['silent', 'deaf'] as const) {
    it(`leaves no connection behind at a proxy in mode ${mode}`, async () => {
      const { proxy, server, sink } = await behindProxy(mode, { timeoutMs: 300 });

      const result = await sink.send(BATCH, NEVER);

      assert.equal(result.kind, 'retry');
      assert.match(reasonOf(result), /within 0.3 s/);
      assert.equal(server.requests.length, 0);
      await until('the proxy to be left', () => proxy.connections() === 0);
    });
  }

  it('goes no other way when the proxy is gone, and through it when it is back', async () => {
    const { proxy, server, sink } = await behindProxy('open');
    await proxy.close();

    const result = await sink.send(BATCH, NEVER);

    assert.equal(result.kind, 'retry');
    assert.match(reasonOf(result), /the proxy 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/);
    assert.equal(server.requests.length, 0);
  });

  it('recovers once the proxy does', async () => {
    const { proxy, sink } = await behindProxy('deny');
    const refused = await sink.send(BATCH, NEVER);
    proxy.setMode('open');

    const result = await sink.send(BATCH, NEVER);

    assert.equal(refused.kind, 'retry');
    assert.deepEqual(result, { kind: 'accepted' });
  });

  it('asks the proxy for the whole URL when the collector speaks plain http', async () => {
    const proxy = await startConnectProxy('auth');
    const server = await startScriptedServer([]);
    const proxyAuthFile = join(tempDir(), 'proxy-auth');
    writeFileSync(proxyAuthFile, PROXY_CREDENTIAL);

    const result = await httpSink({ url: server.url, proxy: proxy.url, proxyAuthFile }).send(BATCH, NEVER);

    assert.deepEqual(result, { kind: 'accepted' });
    assert.deepEqual(proxy.seen, [{ line: `POST ${server.url}/v1/rows`, authorization: BASIC }]);
    assert.equal(server.requests[0]?.headers.host, `localhost:${server.port}`);
  });

  describe('that speaks TLS itself', () => {
    const caFile = certificatePath('ca.pem');

    it('carries an https collector', async () => {
      const proxy = await startConnectProxy('open', serverTls());
      const server = await startScriptedServer([], { tls: serverTls() });

      const result = await httpSink({ url: server.url, caFile, proxy: proxy.url }).send(BATCH, NEVER);

      assert.deepEqual(result, { kind: 'accepted' });
      assert.equal(proxy.seen[0]?.line, `CONNECT localhost:${server.port}`);
    });

    it('carries a plain http collector', async () => {
      const proxy = await startConnectProxy('open', serverTls());
      const server = await startScriptedServer([]);

      const result = await httpSink({ url: server.url, caFile, proxy: proxy.url }).send(BATCH, NEVER);

      assert.deepEqual(result, { kind: 'accepted' });
      assert.equal(proxy.seen[0]?.line, `POST ${server.url}/v1/rows`);
    });

    it('is verified like any other end', async () => {
      const proxy = await startConnectProxy('open', serverTls('expired'));
      const server = await startScriptedServer([], { tls: serverTls() });

      const result = await httpSink({ url: server.url, caFile, proxy: proxy.url }).send(BATCH, NEVER);

      assert.match(reasonOf(result), /the proxy 127\.0\.0\.1:\d+ cannot be used: certificate has expired/);
      assert.equal(proxy.seen.length, 0);
    });

    it('is not used while the authorities to verify it by cannot be read', async () => {
      const proxy = await startConnectProxy('open', serverTls());
      const url = 'http://127.0.0.1:9';

      const result = await httpSink({ url, caFile: join(tempDir(), 'absent'), proxy: proxy.url }).send(
        BATCH,
        NEVER,
      );

      assert.match(reasonOf(result), /absent cannot be read: ENOENT/);
    });
  });

  it('does not use the proxy for hosts in no_proxy', async () => {
    const { proxy, sink } = await behindProxy('drop', { noProxy: ['localhost'] });

    const result = await sink.send(BATCH, NEVER);

    assert.deepEqual(result, { kind: 'accepted' });
    assert.equal(proxy.seen.length, 0);
  });

  it('takes no proxy from the environment', async () => {
    const proxy = await startConnectProxy('drop');
    const server = await startScriptedServer([], { tls: serverTls() });
    const before = process.env['HTTPS_PROXY'];
    process.env['HTTPS_PROXY'] = proxy.url;

    const result = await httpSink({ url: server.url, caFile: certificatePath('ca.pem') }).send(BATCH, NEVER);
    if (before === undefined) delete process.env['HTTPS_PROXY'];
    else process.env['HTTPS_PROXY'] = before;

    assert.deepEqual(result, { kind: 'accepted' });
    assert.equal(proxy.seen.length, 0);
  });

  it('keeps rows back while the credential cannot be read', async () => {
    const proxyAuthFile = join(tempDir(), 'absent');
    const { proxy, sink } = await behindProxy('open', { proxyAuthFile });

    const result = await sink.send(BATCH, NEVER);

    assert.match(reasonOf(result), /proxy credential file .* cannot be read: ENOENT/);
    assert.equal(proxy.seen.length, 0);
  });
});
