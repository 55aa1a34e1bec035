import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { errnoOf } from '../agent/contract/errors.ts';
import type { CollectorLimits, CollectorTls } from './options.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 4096;
/** Longer than senders keep an idle connection, so that it is they who close it. */
const KEEP_ALIVE_MS = 65_000;
const CHECK_EVERY_MS = 1000;

/** A server that no slow, silent or garbled sender can hold for long. */
export function createHttpServer(
  listener: RequestListener,
  tls: CollectorTls | undefined,
  limits: CollectorLimits,
): Server {
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, limits.headersTimeoutMs),
  };
  const server = tls
    ? createTlsServer({ ...options, ...tlsOptions(tls), handshakeTimeout: limits.headersTimeoutMs }, listener)
    : createServer(options, listener);
  server.maxConnections = MAX_CONNECTIONS;
  // Silence, also while an answer is read; later than the timeouts above, which still answer.
  server.timeout = limits.requestTimeoutMs + limits.headersTimeoutMs;
  server.on('clientError', answerGarbage);
  server.on('upgrade', (_: IncomingMessage, socket: Socket) => socket.destroy());
  server.on('connect', (_: IncomingMessage, socket: Socket) => socket.destroy());
  return server;
}

function tlsOptions({ cert, key, ca }: CollectorTls) {
  const mutual = ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: true };
  return { cert, key, minVersion: 'TLSv1.2' as const, ...mutual };
}

const STATUS_OF_ERROR = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** What is no HTTP has no request to answer, so the answer is written by hand. */
function answerGarbage(error: Error, socket: Socket): void {
  if (!socket.writable || errnoOf(error) === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = STATUS_OF_ERROR.get(errnoOf(error) ?? '') ?? 400;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
