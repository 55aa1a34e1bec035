import type { z } from 'zod';
import { collectorUrlProblem, proxyUrlProblem } from './urls.ts';

type Context = z.core.$RefinementCtx;
type Values = Readonly<Record<string, unknown>>;

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

/** Rules between the keys of a sink that speaks HTTP. */
export function checkConnection(sink: unknown, context: Context): void {
  const values = Object(sink) as Values;
  const { url, proxy, allow_insecure: allowInsecure } = values;
  if (typeof url === 'string') report(context, 'url', collectorUrlProblem(url, allowInsecure === true));
  if (typeof proxy === 'string') report(context, 'proxy', proxyUrlProblem(proxy));
  report(context, 'token_env', notBoth(values, ['token_file', 'token_env']));
  report(context, 'proxy_auth_env', notBoth(values, ['proxy_auth_file', 'proxy_auth_env']));
  report(context, 'proxy_auth_file', needsProxy(values, 'proxy_auth_file'));
  report(context, 'proxy_auth_env', needsProxy(values, 'proxy_auth_env'));
  checkPair(values, context);
}

/** An event collector takes nothing from anyone without a token. */
export function checkHecToken(sink: unknown, context: Context): void {
  const values = Object(sink) as Values;
  if (isSet(values['token_file']) || isSet(values['token_env'])) return;
  fail(context, ['token_file'], 'is missing, and so is token_env; the event collector wants a token');
}

export function checkAuthHeader(sink: unknown, context: Context): void {
  const { auth, auth_header: header } = Object(sink) as Values;
  if (!isSet(header) || auth === 'header') return;
  fail(context, ['auth_header'], 'has no effect unless auth is header');
}

function checkPair(sink: Values, context: Context): void {
  const [cert, key] = [isSet(sink['cert_file']), isSet(sink['key_file'])];
  if (cert && !key) fail(context, ['cert_file'], 'needs key_file, the private key of this certificate');
  if (key && !cert) fail(context, ['key_file'], 'needs cert_file, the certificate of this private key');
}

function notBoth(values: Values, [first, second]: readonly [string, string]): string | undefined {
  if (!isSet(values[first]) || !isSet(values[second])) return undefined;
  return `cannot be set together with ${first}; keep one of them`;
}

function needsProxy(values: Values, name: string): string | undefined {
  return isSet(values[name]) && !isSet(values['proxy']) ? 'needs proxy, whose credential it is' : undefined;
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
