import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { errnoOf, messageOf } from '../../contract/errors.ts';

export interface TlsFiles {
  readonly caFile?: string | null;
  readonly certFile?: string | null;
  readonly keyFile?: string | null;
}

/** Trust and client certificate as the files say at this moment. */
export type TlsState =
  | { readonly kind: 'ready'; readonly context: SecureContext; readonly version: string }
  | { readonly kind: 'unusable'; readonly reason: string };

/**
 * Reads the files anew every time and builds a context only when their contents changed, so that rotated
 * certificates count from the next request on. Making a context of all authorities takes about 30 ms.
 */
export function createTlsSource(files: TlsFiles): () => TlsState {
  let last: (TlsState & { kind: 'ready' }) | undefined;
  return () => {
    try {
      const ca = read(files.caFile);
      const cert = read(files.certFile);
      const key = read(files.keyFile);
      const version = hash('sha256', JSON.stringify([ca, cert, key]));
      if (last?.version !== version) last = { kind: 'ready', version, context: contextOf(ca, cert, key) };
      return last;
    } catch (error) {
      return { kind: 'unusable', reason: reasonOf(error) };
    }
  };
}

class UnreadableFile extends Error {}

function read(path: string | null | undefined): string | undefined {
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UnreadableFile(`${path} cannot be read: ${errnoOf(error) ?? messageOf(error)}`);
  }
}

function contextOf(ca: string | undefined, cert: string | undefined, key: string | undefined): SecureContext {
  const trusted = new Set([...getCACertificates('bundled'), ...getCACertificates('system')]);
  for (const pem of ca?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []) {
    trusted.add(pem);
  }
  return createSecureContext({
    ca: [...trusted],
    minVersion: 'TLSv1.2',
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  });
}

/** A rotation replaces two files one after the other; in between they do not fit. */
function reasonOf(error: unknown): string {
  if (error instanceof UnreadableFile) return error.message;
  return `ca_file, cert_file or key_file cannot be used: ${messageOf(error)}`;
}
