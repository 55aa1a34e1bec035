import { z } from 'zod';
import { expecting, key, section } from './key.ts';
import { absolutePath, KIB, MIB, shortName, variableName, whole } from './values.ts';

/** Keys that several kinds of sink share. Functions, since the facts of a key belong to one schema object. */

export function common<T extends string>(type: T) {
  return {
    type: key(z.literal(type), { doc: 'Kind of sink.' }),
    id: key(shortName().default(type), {
      doc: 'Name of the sink in logs, metrics and the outbox. Positions are kept under it: another name sends everything again.',
    }),
    batch: section(
      z.strictObject({
        max_rows: key(whole(1, 10_000).default(500), { doc: 'Rows in one batch at most.' }),
        max_bytes: key(whole(16 * KIB, 64 * MIB).default(MIB), {
          doc: 'Bytes of row JSON in one batch at most, before compression. A single larger row still goes alone.',
        }),
      }),
      { doc: 'How much goes out in one request.' },
    ),
  };
}

export function url(doc: string, example: string) {
  return key(expecting('a URL', z.string().max(2048)), {
    doc: `${doc} https only, except for loopback. No user name, password or token in it.`,
    example,
  });
}

export function gzip() {
  return key(z.enum(['gzip', 'none']).default('gzip'), { doc: 'Compression of request bodies.' });
}

/** Where the token is; `what` names it as its other end does. */
export function token(what: string, example: string) {
  return {
    token_file: key(absolutePath().nullable().default(null), {
      doc: `File that holds ${what}. Read again when it changes.`,
      secret: true,
      example: `/etc/holdfast/secrets/${example}`,
    }),
    token_env: key(variableName().nullable().default(null), {
      doc: `Environment variable that holds ${what}, instead of token_file.`,
      secret: true,
    }),
  };
}

export function genAiContent(where: string) {
  return key(z.boolean().default(false), {
    doc: `Repeats the text of a row in ${where}, where detection content looks for it. Makes requests and indices up to twice as large.`,
  });
}

/** How the other end is reached. */
export function connection() {
  return {
    ca_file: key(absolutePath().nullable().default(null), {
      doc: 'PEM file of certificate authorities to trust beside those of the system and of Node.',
    }),
    cert_file: key(absolutePath().nullable().default(null), {
      doc: 'PEM file of the client certificate for mutual TLS. Needs key_file.',
    }),
    key_file: key(absolutePath().nullable().default(null), {
      doc: 'PEM file of the private key of cert_file.',
      secret: true,
    }),
    ...proxy(),
    timeout_ms: key(whole(1000, 600_000).default(30_000), {
      doc: 'How long one request may take before it counts as failed.',
    }),
    allow_insecure: key(z.boolean().default(false), {
      doc: 'Allows plain http to hosts other than loopback. Certificates of https are always verified.',
    }),
  };
}

function proxy() {
  return {
    proxy: key(expecting('a URL', z.string().max(2048)).nullable().default(null), {
      doc: 'HTTP proxy to go through; null connects directly. No user name or password in it.',
    }),
    proxy_auth_file: key(absolutePath().nullable().default(null), {
      doc: 'File that holds user:password for the proxy.',
      secret: true,
    }),
    proxy_auth_env: key(variableName().nullable().default(null), {
      doc: 'Environment variable that holds user:password for the proxy, instead of proxy_auth_file.',
      secret: true,
    }),
    no_proxy: key(
      expecting('a list of host names', z.array(z.string().min(1).max(255)).max(100)).default([]),
      { doc: 'Hosts and domains that are reached without the proxy.' },
    ),
  };
}
