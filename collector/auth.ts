import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { EnvironmentError } from '../agent/contract/errors.ts';
import { isLoopbackHost } from './options.ts';
import { Refusal } from './reply.ts';

/** Throws a Refusal unless the request may be served. */
export type Guard = (request: IncomingMessage) => void;

/** Throws EnvironmentError for an empty token, which a request without one would match. */
export function createGuard(tokens: readonly string[]): Guard {
  if (tokens.length === 0) return refuseForeignNames;
  if (tokens.some((token) => token.trim() === '')) {
    throw new EnvironmentError('COLLECTOR_TOKEN', 'An empty token would let everybody in.', {
      hint: 'Give the collector a token of at least one character, or none at all to serve this machine only.',
    });
  }
  const digests = tokens.map(digestOf);
  return (request) => {
    const given = digestOf(bearerOf(request) ?? '');
    let known = false;
    // Every token is compared, whole and by digest, so that time tells nothing about any of them.
    for (const digest of digests) known = timingSafeEqual(digest, given) || known;
    if (known) return;
    throw new Refusal(401, 'a valid bearer token is needed', { 'www-authenticate': 'Bearer' });
  };
}

/** Without a token, a web page must not reach us by giving its own host name our address. */
function refuseForeignNames(request: IncomingMessage): void {
  const name = (request.headers.host ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  if (name === '' || isLoopbackHost(name)) return;
  throw new Refusal(403, 'without a token only requests to a loopback name are served');
}

function bearerOf(request: IncomingMessage): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
