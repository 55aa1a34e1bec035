import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { MAIN } from '../../support/agent-process.ts';
import { onCleanUp, tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';
import { certificate, certificatePath } from '../sinks/support.ts';

const TLS = ['--tls-cert', certificatePath('server.pem'), '--tls-key', certificatePath('server.key')];

/** `holdfast collector` as a process of its own, with what it says on standard error. */
function start(...options: string[]): { readonly child: ChildProcess; said: () => string } {
  const dir = tempDir();
  const args = [MAIN, '--state-dir', dir, 'collector', '--port', '0', ...options];
  const env = { PATH: process.env['PATH'], HOME: dir };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  onCleanUp(() => end(child));
  return { child, said: () => text };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function listening(collector: ReturnType<typeof start>): Promise<string> {
  const said = () => /url=(\S+)/.exec(collector.said())?.[1];
  return await until('the collector to listen', said);
}

async function refused(...options: string[]): Promise<{ code: number | null; said: string }> {
  const { child, said } = start(...options);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: said() };
}

/** Status of the health request, or the code of what went wrong. */
function health(url: string, client: Readonly<Record<string, string>> = {}): Promise<number | string> {
  return new Promise((resolve) => {
    const options = { ca: certificate('ca.pem'), servername: 'localhost', agent: false, ...client };
    request(`${url}/v1/health`, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end();
  });
}

describe('agent/cli/collector', () => {
  it('serves TLS with the given certificate', async () => {
    const url = await listening(start(...TLS));

    const status = await health(url);

    assert.match(url, /^https:/);
    assert.equal(status, 200);
  });

  it('wants a certificate of the given authority from senders', async () => {
    const url = await listening(start(...TLS, '--client-ca', certificatePath('ca.pem')));

    const without = await health(url);
    const withOne = await health(url, { cert: certificate('client.pem'), key: certificate('client.key') });

    assert.equal(typeof without, 'string');
    assert.equal(withOne, 200);
  });

  it('wants certificate and key together', async () => {
    for (const options of [TLS.slice(0, 2), TLS.slice(2), ['--client-ca', certificatePath('ca.pem')]]) {
      const { code, said } = await refused(...options);

      assert.equal(code, 2);
      assert.match(said, /TLS needs a certificate and its private key\.\nGive both --tls-cert and --tls-key/);
    }
  });

  it('says which file cannot be read', async () => {
    const { code, said } = await refused('--tls-cert', '/nowhere/cert.pem', '--tls-key', '/nowhere/key.pem');

    assert.equal(code, 3);
    assert.match(said, /\/nowhere\/cert\.pem cannot be read: ENOENT/);
  });

  it('says so when the files are no certificate', async () => {
    const file = join(tempDir(), 'none.pem');
    writeFileSync(file, 'none');

    const { code, said } = await refused('--tls-cert', file, '--tls-key', file);

    assert.equal(code, 3);
    assert.match(said, /The TLS files cannot be used/);
    assert.doesNotMatch(said, /unexpected/);
  });

  it('does not take a token file without a token for a wish to have none', async () => {
    const file = join(tempDir(), 'token');
    writeFileSync(file, ' \n\n');

    const { code, said } = await refused('--token-file', file);

    assert.equal(code, 3);
    assert.match(said, /token holds no token\.\nWrite a token into it/);
  });

  it('tries to listen beyond loopback only when it is told to', async () => {
    // An address for documentation, which no machine has (RFC 5737).
    const elsewhere = ['--host', '192.0.2.1'];

    const careful = await refused(...elsewhere);
    const told = await refused(...elsewhere, '--allow-insecure');

    assert.equal(careful.code, 3);
    assert.match(careful.said, /does not listen on 192\.0\.2\.1 without a token and TLS/);
    assert.equal(told.code, 3);
    assert.match(told.said, /192\.0\.2\.1/);
    assert.doesNotMatch(told.said, /without a token/);
  });
});
