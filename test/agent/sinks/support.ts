import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LogFields, type Logger, silentLogger } from '../../../agent/contract/logger.ts';
import type { Sink } from '../../../agent/contract/sink.ts';
import { systemClock } from '../../../agent/platform/clock.ts';
import type {
  ElasticsearchSinkConfig,
  HttpSinkConfig,
  OtlpSinkConfig,
  SplunkHecSinkConfig,
} from '../../../agent/sinks/config.ts';
import type { SinkDeps } from '../../../agent/sinks/deps.ts';
import { createElasticsearchSink } from '../../../agent/sinks/elasticsearch/sink.ts';
import { createHttpSink } from '../../../agent/sinks/http/sink.ts';
import { createOtlpSink } from '../../../agent/sinks/otlp/sink.ts';
import { createSplunkHecSink } from '../../../agent/sinks/splunk-hec/sink.ts';
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

/** What sinks that speak HTTP have in common: a token and short timeouts. */
const CONNECTION = {
  id: 'central',
  compression: 'gzip',
  tokenEnv: 'TEST_TOKEN',
  timeoutMs: 5000,
  allowInsecure: false,
  batch: { maxRows: 500, maxBytes: 1 << 20 },
} as const;

type Changes<Config> = Partial<Config> & { url: string };

/** Sinks are closed after the test. */
function opened(sink: Sink): Sink {
  onCleanUp(() => sink.close());
  return sink;
}

export function httpSink(changes: Changes<HttpSinkConfig>, deps: Partial<SinkDeps> = {}): Sink {
  return opened(createHttpSink({ type: 'http', ...CONNECTION, ...changes }, sinkDeps(deps)));
}

export function otlpSink(changes: Changes<OtlpSinkConfig>, deps: Partial<SinkDeps> = {}): Sink {
  const config = { auth: 'bearer', acceptEmpty: false, genAiContent: false } as const;
  return opened(createOtlpSink({ type: 'otlp', ...CONNECTION, ...config, ...changes }, sinkDeps(deps)));
}

export function hecSink(changes: Changes<SplunkHecSinkConfig>, deps: Partial<SinkDeps> = {}): Sink {
  const config = { sourcetype: 'holdfast:row', indexedFields: true, ack: false, ackTimeoutMs: 5000 };
  const type = 'splunk_hec' as const;
  return opened(createSplunkHecSink({ type, ...CONNECTION, ...config, ...changes }, sinkDeps(deps)));
}

export function elasticsearchSink(
  changes: Changes<ElasticsearchSinkConfig>,
  deps: Partial<SinkDeps> = {},
): Sink {
  const config = { index: 'holdfast-rows', auth: 'api_key', genAiContent: false } as const;
  const type = 'elasticsearch' as const;
  return opened(createElasticsearchSink({ type, ...CONNECTION, ...config, ...changes }, sinkDeps(deps)));
}

/** A logger that keeps every line as text. */
export function recordingLogger(lines: string[]): Logger {
  const note = (message: string, fields: LogFields = {}) => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  };
  const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
  return logger;
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
