import assert from 'node:assert/strict';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { batchOf, rowsOf } from '../../../support/batches.ts';
import { type Behaviour, collectorAck, startScriptedServer } from '../../../support/scripted-server.ts';
import { onCleanUp, tempDir } from '../../../support/temp.ts';
import { certificate, certificatePath, httpSink, NEVER, reasonOf, serverTls } from '../support.ts';

const CA_FILE = certificatePath('ca.pem');
const BATCH = batchOf(rowsOf(2));

/** Sends once to a TLS server; `trust` is the ca_file. */
async function sendTo(certificateName: string, trust: string | null = CA_FILE) {
  const server = await startScriptedServer([], { tls: serverTls(certificateName) });
  const result = await httpSink({ url: server.url, caFile: trust }).send(BATCH, NEVER);
  return { result, requests: server.requests.length };
}

describe('agent/sinks/transport/tls-source', () => {
  it('trusts the authority in ca_file', async () => {
    const { result } = await sendTo('server');

    assert.deepEqual(result, { kind: 'accepted' });
  });

  for (const [name, reason] of [
    ['expired', /its certificate has expired \(CERT_HAS_EXPIRED\)/],
    ['wrong-host', /its certificate is for another host name/],
  ] as const) {
    it(`sends nothing to a server whose certificate is ${name}`, async () => {
      const { result, requests } = await sendTo(name);

      assert.equal(result.kind, 'retry');
      assert.match(reasonOf(result), reason);
      assert.equal(requests, 0);
    });
  }

  it('sends nothing to a server whose authority is unknown', async () => {
    const { result, requests } = await sendTo('server', null);

    assert.equal(result.kind, 'retry');
    assert.match(reasonOf(result), /an authority that is not trusted here; name it with ca_file/);
    assert.equal(requests, 0);
  });

  it('verifies also when the environment turns verification off', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onCleanUp(() => {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    });

    const { result, requests } = await sendTo('server', null);

    assert.equal(result.kind, 'retry');
    assert.equal(requests, 0);
  });

  it('does not speak TLS 1.1', async () => {
    const tls = {
      ...serverTls(),
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    } as const;
    const server = await startScriptedServer([], { tls });

    const result = await httpSink({ url: server.url, caFile: CA_FILE }).send(BATCH, NEVER);

    assert.equal(result.kind, 'retry');
    assert.match(reasonOf(result), /it does not speak TLS as we do/);
  });

  it('says so when the other end speaks no TLS, and does not fall back', async () => {
    const server = await startScriptedServer([]);

    const result = await httpSink({ url: `https://localhost:${server.port}`, caFile: CA_FILE }).send(
      BATCH,
      NEVER,
    );

    assert.match(reasonOf(result), /it does not speak TLS as we do/);
    assert.equal(server.requests.length, 0);
  });

  it('gives up on a server that accepts and never shakes hands', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onCleanUp(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const sink = httpSink({ url: `https://localhost:${port}`, caFile: CA_FILE, timeoutMs: 300 });

    const result = await sink.send(BATCH, NEVER);

    assert.match(reasonOf(result), /no connection within 0.3 s/);
  });

  describe('client certificate', () => {
    const mutual = { ...serverTls(), ca: certificate('ca.pem'), requestCert: true, rejectUnauthorized: true };
    const pair = { certFile: certificatePath('client.pem'), keyFile: certificatePath('client.key') };

    it('is presented to a server that wants one', async () => {
      const server = await startScriptedServer([], { tls: mutual });

      const result = await httpSink({ url: server.url, caFile: CA_FILE, ...pair }).send(BATCH, NEVER);

      assert.deepEqual(result, { kind: 'accepted' });
    });

    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      it(`is asked for in words when it is missing (${maxVersion})`, async () => {
        const server = await startScriptedServer([], { tls: { ...mutual, maxVersion } });

        const result = await httpSink({ url: server.url, caFile: CA_FILE }).send(BATCH, NEVER);

        assert.match(reasonOf(result), /client certificate.*set cert_file and key_file/);
        assert.equal(server.requests.length, 0);
      });
    }

    it('is named when the server does not accept it', async () => {
      const server = await startScriptedServer([], { tls: mutual });
      const stranger = {
        certFile: certificatePath('stranger.pem'),
        keyFile: certificatePath('stranger.key'),
      };

      const result = await httpSink({ url: server.url, caFile: CA_FILE, ...stranger }).send(BATCH, NEVER);

      assert.notEqual(result.kind, 'accepted');
      assert.equal(server.requests.length, 0);
    });

    it('is read again when it was rotated on disk', async () => {
      const names: (string | undefined)[] = [];
      const note: Behaviour = (response, request) => {
        names.push((response.socket as TLSSocket).getPeerCertificate().subject?.CN as string | undefined);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(collectorAck(request).body));
      };
      const ca = [certificate('ca.pem'), certificate('other-ca.pem')];
      const server = await startScriptedServer([note, note, note], { tls: { ...mutual, ca } });
      const dir = tempDir();
      const [certFile, keyFile] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
      const install = (name: string) => {
        copyFileSync(certificatePath(`${name}.pem`), certFile);
        copyFileSync(certificatePath(`${name}.key`), keyFile);
      };
      install('client');
      const sink = httpSink({ url: server.url, caFile: CA_FILE, certFile, keyFile });

      await sink.send(BATCH, NEVER);
      await sink.send(BATCH, NEVER);
      install('stranger');
      await sink.send(BATCH, NEVER);

      assert.deepEqual(names, ['client', 'client', 'stranger']);
    });

    it('keeps rows back while certificate and key do not fit or cannot be read', async () => {
      const server = await startScriptedServer([], { tls: mutual });
      const keyFile = join(tempDir(), 'key.pem');
      copyFileSync(certificatePath('stranger.key'), keyFile);
      const sink = httpSink({ url: server.url, caFile: CA_FILE, certFile: pair.certFile, keyFile });

      const unfit = await sink.send(BATCH, NEVER);
      writeFileSync(keyFile, 'not a key');
      const garbage = await sink.send(BATCH, NEVER);
      rmSync(keyFile);
      const missing = await sink.send(BATCH, NEVER);
      copyFileSync(certificatePath('client.key'), keyFile);
      const fit = await sink.send(BATCH, NEVER);

      assert.match(reasonOf(unfit), /ca_file, cert_file or key_file cannot be used/);
      assert.match(reasonOf(garbage), /ca_file, cert_file or key_file cannot be used/);
      assert.match(reasonOf(missing), /key\.pem cannot be read: ENOENT/);
      assert.deepEqual(fit, { kind: 'accepted' });
    });
  });
});
