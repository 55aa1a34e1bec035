import { z } from 'zod';
import { expecting, key, section } from './key.ts';
import { collectorUrlProblem, proxyUrlProblem } from './urls.ts';
import { ALWAYS, absolutePath, GIB, KIB, MIB, shortName, variableName, whole } from './values.ts';

type Context = z.core.$RefinementCtx;

function common<T extends string>(type: T) {
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

const httpSink = z
  .strictObject({
    ...common('http'),
    url: key(expecting('a URL', z.string().max(2048)), {
      doc: 'Address that takes batches. https only, except for loopback. No user name, password or token in it.',
      example: 'https://collector.example.com/v1/rows',
    }),
    compression: key(z.enum(['gzip', 'zstd', 'none']).default('gzip'), {
      doc: 'Compression of request bodies. The collector must understand it.',
    }),
    token_file: key(absolutePath().nullable().default(null), {
      doc: 'File that holds the bearer token. Read again when it changes.',
      secret: true,
      example: '/etc/holdfast/secrets/collector-token',
    }),
    token_env: key(variableName().nullable().default(null), {
      doc: 'Environment variable that holds the bearer token, instead of token_file.',
      secret: true,
    }),
    ca_file: key(absolutePath().nullable().default(null), {
      doc: "PEM file of certificate authorities to trust beside those of the system and of Node.",
    }),
    cert_file: key(absolutePath().nullable().default(null), {
      doc: 'PEM file of the client certificate for mutual TLS. Needs key_file.',
    }),
    key_file: key(absolutePath().nullable().default(null), {
      doc: 'PEM file of the private key of cert_file.',
      secret: true,
    }),
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
      {
        doc: 'Hosts and domains that are reached without the proxy.',
      },
    ),
    timeout_ms: key(whole(1000, 600_000).default(30_000), {
      doc: 'How long one request may take before it counts as failed.',
    }),
    allow_insecure: key(z.boolean().default(false), {
      doc: 'Allows plain http to hosts other than loopback. Certificates of https are always verified.',
    }),
  })
  .superRefine(checkHttp, ALWAYS);

const fileSink = z.strictObject({
  ...common('file'),
  path: key(absolutePath(), {
    doc: 'File that rows are appended to, one JSON object a line.',
    example: '/var/log/holdfast/rows.jsonl',
  }),
  max_bytes: key(whole(64 * KIB, 64 * GIB).default(100 * MIB), {
    doc: 'Size at which the file is rotated.',
  }),
  max_files: key(whole(1, 1000).default(10), { doc: 'Rotated files that are kept.' }),
});

export const sinkSchema = z.discriminatedUnion('type', [httpSink, fileSink]);

/** Positions in the outbox are kept under the id, so two sinks cannot share one. */
export function checkSinkIds(sinks: unknown, context: Context): void {
  if (!Array.isArray(sinks)) return;
  const seen = new Map<string, number>();
  for (const [index, sink] of sinks.entries()) {
    const id: unknown = Object(sink).id;
    if (typeof id !== 'string') continue;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, index);
    else fail(context, [index, 'id'], `${id} already names sinks[${first}]; give every sink its own id`);
  }
}

function checkHttp(sink: z.output<typeof httpSink>, context: Context): void {
  if (typeof sink.url === 'string')
    report(context, 'url', collectorUrlProblem(sink.url, sink.allow_insecure === true));
  if (typeof sink.proxy === 'string') report(context, 'proxy', proxyUrlProblem(sink.proxy));
  report(context, 'token_env', notBoth(sink, ['token_file', 'token_env']));
  report(context, 'proxy_auth_env', notBoth(sink, ['proxy_auth_file', 'proxy_auth_env']));
  report(context, 'proxy_auth_file', needsProxy(sink, 'proxy_auth_file'));
  report(context, 'proxy_auth_env', needsProxy(sink, 'proxy_auth_env'));
  checkPair(sink, context);
}

function checkPair(sink: { cert_file?: unknown; key_file?: unknown }, context: Context): void {
  const [cert, key] = [isSet(sink.cert_file), isSet(sink.key_file)];
  if (cert && !key) fail(context, ['cert_file'], 'needs key_file, the private key of this certificate');
  if (key && !cert) fail(context, ['key_file'], 'needs cert_file, the certificate of this private key');
}

function notBoth(sink: object, [first, second]: readonly [string, string]): string | undefined {
  const values = sink as Readonly<Record<string, unknown>>;
  if (!isSet(values[first]) || !isSet(values[second])) return undefined;
  return `cannot be set together with ${first}; keep one of them`;
}

function needsProxy(sink: { readonly proxy?: unknown }, name: string): string | undefined {
  const values = sink as Readonly<Record<string, unknown>>;
  return isSet(values[name]) && !isSet(sink.proxy) ? 'needs proxy, whose credential it is' : undefined;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function report(context: Context, name: string, problem: string | undefined): void {
  if (problem !== undefined) fail(context, [name], problem);
}

function fail(context: Context, path: (string | number)[], message: string): void {
  context.addIssue({ code: 'custom', path, message });
}
