import { errnoOf, messageOf } from '../../contract/errors.ts';
import { ProxyError } from './tunnel.ts';

/** What is known about a request that ended without an answer. */
export interface FailureContext {
  readonly host: string;
  readonly tls: boolean;
  readonly clientCertificate: boolean;
  /** Whether the connection stood, TLS included, before it failed. */
  readonly connected: boolean;
}

export interface Failure {
  readonly reason: string;
  /** The other end does not accept who we are. */
  readonly credential: boolean;
}

const UNKNOWN_AUTHORITY = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

const CERTIFICATE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; is the clock of this machine right?',
  CERT_REVOKED: 'its certificate is revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'its name cannot be resolved',
  EAI_AGAIN: 'its name cannot be resolved now',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  ECONNRESET: 'the connection was closed before the answer was complete',
  EPIPE: 'the connection was closed while the request was sent',
};

/** Says what went wrong in words that tell an operator where to look. */
export function failureOf(error: unknown, context: FailureContext): Failure {
  const code = errnoOf(error) ?? '';
  if (error instanceof ProxyError) return { reason: error.message, credential: false };
  if (refusesCertificate(error, context)) {
    return { reason: `${context.host}: ${clientCertificateReason(context)} (${code})`, credential: true };
  }
  return { reason: `${context.host}: ${wordsFor(error, code, context)}`, credential: false };
}

function wordsFor(error: unknown, code: string, context: FailureContext): string {
  if (UNKNOWN_AUTHORITY.has(code)) {
    return `its certificate is from an authority that is not trusted here; name it with ca_file (${code})`;
  }
  const certificate = CERTIFICATE[code];
  if (certificate) return `${certificate} (${code})`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return `it does not speak TLS as we do (${code})`;
  const words = NETWORK[code] ?? `${messageOf(error)}${code === '' ? '' : ` (${code})`}`;
  return words + certificateHint(code, context);
}

/** TLS 1.3 servers refuse a missing client certificate only after the handshake, often without saying so. */
function certificateHint(code: string, { tls, clientCertificate, connected }: FailureContext): string {
  if (!tls || !connected || clientCertificate || (code !== 'ECONNRESET' && code !== 'EPIPE')) return '';
  return '; if it wants a client certificate, set cert_file and key_file';
}

/**
 * TLS alerts by which a server says no to our certificate or to the lack of one. Depending on when it
 * comes, an alert stands in the code (ERR_SSL_..._ALERT_...) or only in the text of an EPROTO.
 */
function refusesCertificate(error: unknown, context: FailureContext): boolean {
  const text = `${errnoOf(error)} ${messageOf(error)}`.replaceAll('_', ' ').toLowerCase();
  const alert = /\balert ([a-z ]+)/.exec(text)?.[1] ?? '';
  if (alert.startsWith('handshake failure')) return !context.clientCertificate;
  return /certificate|unknown ca|access denied/.test(alert);
}

function clientCertificateReason({ clientCertificate }: FailureContext): string {
  return clientCertificate
    ? 'it does not accept our client certificate'
    : 'it wants a client certificate; set cert_file and key_file';
}
