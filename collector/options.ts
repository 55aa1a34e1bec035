import { BlockList, isIP } from 'node:net';
import type { Clock } from '../agent/contract/clock.ts';
import { EnvironmentError } from '../agent/contract/errors.ts';
import type { Logger } from '../agent/contract/logger.ts';

export interface CollectorOptions {
  /** Directory of the database; made when missing. */
  readonly dir: string;
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port?: number;
  /** Bearer tokens that are accepted; none means that everyone on this machine may send and read. */
  readonly tokens?: readonly string[];
  readonly tls?: CollectorTls;
  /** Lets it listen beyond loopback without a token or without TLS. */
  readonly allowInsecure?: boolean;
  readonly limits?: Partial<CollectorLimits>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** PEM texts. With `ca`, senders must present a certificate that it signed. */
export interface CollectorTls {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

export interface CollectorLimits {
  /** Request body as it comes over the wire. */
  readonly maxBodyBytes: number;
  /** Request body after decompression. */
  readonly maxUnpackedBytes: number;
  readonly maxRows: number;
  readonly maxRowBytes: number;
  /** Bodies that are being received, all together. */
  readonly maxWaitingBytes: number;
  /** Size that the database may grow to; beyond it senders are told to keep their rows (507). */
  readonly maxDatabaseBytes: number;
  /** A request must be complete within this time. */
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
}

const MIB = 1 << 20;

const DEFAULT_LIMITS: CollectorLimits = {
  maxBodyBytes: 16 * MIB,
  maxUnpackedBytes: 64 * MIB,
  maxRows: 10_000,
  maxRowBytes: 8 * MIB,
  maxWaitingBytes: 256 * MIB,
  maxDatabaseBytes: Number.MAX_SAFE_INTEGER,
  requestTimeoutMs: 120_000,
  headersTimeoutMs: 15_000,
};

export function limitsOf(options: CollectorOptions): CollectorLimits {
  return { ...DEFAULT_LIMITS, ...options.limits };
}

/** Rows hold what people typed: beyond loopback they need a token and TLS, or someone who says otherwise. */
export function checkBinding({
  host = '127.0.0.1',
  tokens = [],
  tls,
  allowInsecure,
}: CollectorOptions): void {
  if (isLoopbackHost(host) || allowInsecure || (tokens.length > 0 && tls)) return;
  const missing = [tokens.length === 0 && 'a token', !tls && 'TLS'].filter(Boolean).join(' and ');
  throw new EnvironmentError(
    'COLLECTOR_OPEN',
    `The collector does not listen on ${host} without ${missing}.`,
    {
      hint: 'Listen on 127.0.0.1, or put a TLS reverse proxy in front, or set what is missing.',
    },
  );
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

export function isLoopbackHost(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
