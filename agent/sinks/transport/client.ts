import type { Clock } from '../../contract/clock.ts';
import { errnoOf, HoldfastError } from '../../contract/errors.ts';
import { isLoopback } from '../../contract/loopback.ts';
import type { HttpConnectionConfig } from '../config.ts';
import { type Answer, type Exchange, exchange } from './exchange.ts';
import { failureOf } from './failure.ts';
import { bypassesProxy } from './no-proxy.ts';
import { createRouter, type Route } from './router.ts';
import { createSecretSource, type SecretSource } from './secret.ts';

export interface HttpRequest {
  /** POST unless said otherwise. */
  readonly method?: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  /** Bytes of the answer that are read at most; a mebibyte unless said otherwise. */
  readonly maxAnswerBytes?: number;
}

export type HttpResult =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** No answer. `credential`: the other end does not accept who we are. */
  | { readonly kind: 'failed'; readonly reason: string; readonly credential: boolean };

/** Sends requests to one place over kept connections: proxy, TLS, time and size limits included. */
export interface HttpClient {
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResult>;
  close(): void;
}

export interface HttpClientDeps {
  readonly clock: Clock;
  readonly secret: (name: string) => string | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1 << 20;
const MAX_HEADER_BYTES = 16 * 1024;

/** Throws when the configuration would send rows in the clear or names no usable address. */
export function createHttpClient(config: HttpConnectionConfig, deps: HttpClientDeps): HttpClient {
  checkAddress(config);
  const { clock } = deps;
  const connectTimeoutMs = Math.min(CONNECT_TIMEOUT_MS, config.timeoutMs);
  const proxyAuth = proxyAuthSource(config, deps);
  const router = createRouter({ config, proxyAuth, clock, connectTimeoutMs });

  function once(
    request: HttpRequest,
    route: Route & { kind: 'ready' },
    signal: AbortSignal,
  ): Promise<Exchange> {
    const { method = 'POST', headers, body, maxAnswerBytes = MAX_ANSWER_BYTES } = request;
    const options = {
      ...route.options,
      method,
      agent: route.agent,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: {
        ...route.options.headers,
        'accept-encoding': 'identity',
        ...headers,
        ...(body !== undefined && { 'content-length': body.length }),
      },
    };
    const { timeoutMs } = config;
    return exchange(options, body, { clock, signal, connectTimeoutMs, timeoutMs, maxAnswerBytes });
  }

  return {
    async send(request, signal) {
      const auth = proxyAuth();
      if (auth.kind === 'missing') return { kind: 'failed', reason: auth.reason, credential: false };
      const route = router.route(request.url);
      if (route.kind === 'blocked') return { kind: 'failed', reason: route.reason, credential: false };
      let result = await once(request, route, signal);
      // A kept connection that was closed meanwhile says nothing about the other end, and row ids make a
      // second arrival harmless.
      if (result.kind === 'error' && result.stale && isClosed(result.error)) {
        result = await once(request, route, signal);
      }
      if (result.kind === 'answer') return result;
      const { host, protocol } = request.url;
      const context = {
        host,
        tls: protocol === 'https:',
        clientCertificate: Boolean(config.certFile),
        connected: result.connected,
      };
      return { kind: 'failed', ...failureOf(result.error, context) };
    },
    close: () => router.close(),
  };
}

function isClosed(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function proxyAuthSource(config: HttpConnectionConfig, { secret }: HttpClientDeps): SecretSource {
  const { proxyAuthFile: file, proxyAuthEnv: variable } = config;
  return createSecretSource({ name: 'proxy credential', file, variable, secret });
}

/** The configuration checks addresses too; a sink made in another way must not be less strict. */
function checkAddress(config: HttpConnectionConfig): void {
  const url = webUrl(config.url, 'url');
  if (url.username !== '' || url.password !== '') {
    throw unusable(
      'url holds a user name or password',
      'Keep the credential in a file and name it with token_file.',
    );
  }
  const proxy = config.proxy ? webUrl(config.proxy, 'proxy') : undefined;
  const isProxied = proxy !== undefined && !bypassesProxy(url, config.noProxy ?? []);
  const staysHere = isLoopback(url.hostname) && (!isProxied || isLoopback(proxy.hostname));
  if (url.protocol === 'https:' || staysHere || config.allowInsecure) return;
  throw unusable(
    'rows would leave this machine unencrypted',
    'Use an https url, or set allow_insecure: true.',
  );
}

function webUrl(text: string, name: string): URL {
  const url = URL.parse(text);
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  throw unusable(`${name} is not an http or https URL`, 'Write it as https://collector.example.com.');
}

function unusable(message: string, hint: string): HoldfastError {
  return new HoldfastError('SINK_ADDRESS', `The sink cannot be used: ${message}.`, { hint });
}
