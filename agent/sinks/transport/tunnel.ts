import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { Clock } from '../../contract/clock.ts';
import type { TlsState } from './tls-source.ts';

export interface ProxyServer {
  readonly url: URL;
  /** Value of the Proxy-Authorization header, if there is a credential. */
  readonly authorization: () => string | undefined;
  /** Trust for a proxy that is itself reached by TLS; never holds our client certificate. */
  readonly tls: () => TlsState;
}

export interface TunnelOptions {
  readonly proxy: ProxyServer;
  readonly clock: Clock;
  /** Bound on tunnel and handshake together. */
  readonly timeoutMs: number;
}

/** What went wrong between us and the proxy, as against behind it. */
export class ProxyError extends Error {
  readonly code = 'PROXY';
}

interface Stage {
  destroy(error?: Error): unknown;
}

/**
 * A TLS connection to the target through a proxy by CONNECT. Node's own `proxyEnv` is not used: measured on
 * 24.22, neither an abort nor a timeout ends a request whose proxy accepts and stays silent, the connection
 * stays open for good, and a proxy URL of an unknown scheme silently means a direct connection.
 */
export async function connectThrough(target: RequestOptions, options: TunnelOptions): Promise<TLSSocket> {
  let stage: Stage | undefined;
  const late = new ProxyError(
    `${placeOf(options.proxy.url)} did not connect within ${options.timeoutMs / 1000} s`,
  );
  const timer = options.clock.after(options.timeoutMs, () => stage?.destroy(late));
  const enter = (next: Stage) => {
    stage = next;
  };
  try {
    const socket = await openTunnel(`${hostOf(target)}:${target.port}`, options.proxy, enter);
    return await handshake({ ...target, socket } as ConnectionOptions, enter);
  } finally {
    timer.cancel();
  }
}

function openTunnel(authority: string, proxy: ProxyServer, enter: (stage: Stage) => void): Promise<Duplex> {
  const tls = proxy.url.protocol === 'https:' ? proxy.tls() : undefined;
  if (tls?.kind === 'unusable') return Promise.reject(new ProxyError(tls.reason));
  return new Promise((resolve, reject) => {
    const place = placeOf(proxy.url);
    const options = connectOptions(authority, proxy);
    const secured = { ...options, secureContext: tls?.context, rejectUnauthorized: true };
    const request = tls ? httpsRequest(secured) : httpRequest(options);
    request.on('connect', (answer, socket, head) => {
      const { statusCode = 0 } = answer;
      if (statusCode >= 200 && statusCode < 300 && head.length === 0) return resolve(socket);
      socket.destroy();
      reject(new ProxyError(refusal(place, statusCode)));
    });
    request.on('error', (error) => {
      reject(
        error instanceof ProxyError ? error : new ProxyError(`${place} cannot be used: ${error.message}`),
      );
    });
    enter(request);
    request.end();
  });
}

function connectOptions(authority: string, proxy: ProxyServer): RequestOptions {
  const authorization = proxy.authorization();
  return {
    method: 'CONNECT',
    path: authority,
    agent: false,
    host: proxy.url.hostname.replace(/^\[|\]$/g, ''),
    port: portOf(proxy.url),
    headers: {
      host: authority,
      ...(authorization !== undefined && { 'proxy-authorization': authorization }),
    },
  };
}

function handshake(options: ConnectionOptions, enter: (stage: Stage) => void): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(options);
    const onClose = () => reject(new Error('closed during the TLS handshake'));
    enter(socket);
    socket.once('error', reject);
    socket.once('close', onClose);
    socket.once('secureConnect', () => {
      socket.off('error', reject);
      socket.off('close', onClose);
      resolve(socket);
    });
  });
}

/** The proxy as reasons name it: never with its credential. */
export function placeOf(url: URL): string {
  return `the proxy ${url.hostname}:${portOf(url)}`;
}

export function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

function refusal(place: string, status: number): string {
  if (status === 407) return `${place} answered 407: it wants a user name and password that it accepts`;
  return `${place} does not let us through: status ${status}`;
}

function hostOf(target: RequestOptions): string {
  const host = target.host ?? 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
