import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../../agent/contract/logger.ts';
import type { Sink } from '../../../agent/contract/sink.ts';
import { systemClock } from '../../../agent/platform/clock.ts';
import type { HttpSinkConfig } from '../../../agent/sinks/config.ts';
import type { SinkDeps } from '../../../agent/sinks/deps.ts';
import { createHttpSink } from '../../../agent/sinks/http/sink.ts';
import { onCleanUp } from '../../support/temp.ts';

export const TOKEN = 'tok-c0de-5e00-secret';

export const NEVER: AbortSignal = new AbortController().signal;

export function sinkDeps(changes: Partial<SinkDeps> = {}): SinkDeps {
  return {
    clock: systemClock,
    logger: silentLogger,
    origin: { hostId: 'host-1', epoch: 'epoch-1' },
    version: '1.2.3',
    secret: (name) => (name === 'TEST_TOKEN' ? TOKEN : undefined),
    ...changes,
  };
}

/** A sink of type http with a token and short timeouts, closed after the test. */
export function httpSink(
  changes: Partial<HttpSinkConfig> & { url: string },
  deps: Partial<SinkDeps> = {},
): Sink {
  const sink = createHttpSink(
    {
      type: 'http',
      id: 'central',
      compression: 'gzip',
      tokenEnv: 'TEST_TOKEN',
      timeoutMs: 5000,
      allowInsecure: false,
      batch: { maxRows: 500, maxBytes: 1 << 20 },
      ...changes,
    },
    sinkDeps(deps),
  );
  onCleanUp(() => sink.close());
  return sink;
}

const CERTIFICATES = join(import.meta.dirname, '../../../fixtures/tls');

export function certificatePath(name: string): string {
  return join(CERTIFICATES, name);
}

export function certificate(name: string): string {
  return readFileSync(certificatePath(name), 'utf8');
}

/** Options of a TLS server with a certificate of the test authority. */
export function serverTls(name = 'server') {
  return { cert: certificate(`${name}.pem`), key: certificate(`${name}.key`) };
}

/** The reason of a result that is expected to have one. */
export function reasonOf(result: object): string {
  return 'reason' in result && typeof result.reason === 'string' ? result.reason : JSON.stringify(result);
}
