import { Agent as HttpAgent, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { SecureContext } from 'node:tls';
import type { Clock } from '../../contract/clock.ts';
import type { HttpConnectionConfig } from '../config.ts';
import { bypassesProxy } from './no-proxy.ts';
import type { SecretSource } from './secret.ts';
import { createTlsSource, type TlsState } from './tls-source.ts';
import { connectThrough, type ProxyServer, portOf } from './tunnel.ts';

/** How a request gets to its other end now. */
export type Route =
  | {
      readonly kind: 'ready';
      readonly agent: HttpAgent;
      /** Where to connect to, and the request target as that end wants it. */
      readonly options: RequestOptions;
    }
  | { readonly kind: 'blocked'; readonly reason: string };

export interface Router {
  route(url: URL): Route;
  close(): void;
}

export interface RouterDeps {
  readonly config: HttpConnectionConfig;
  readonly proxyAuth: SecretSource;
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
}

/** Idle connections are closed before load balancers commonly close theirs (60 s), so that none is stale. */
const IDLE_MS = 50_000;

const AGENT_OPTIONS = { keepAlive: true, timeout: IDLE_MS };

/** A proxy that is configured is always used: there is no way around it but `no_proxy`. */
export function createRouter(deps: RouterDeps): Router {
  const url = new URL(deps.config.url);
  const proxy = proxyFor(url, deps);
  if (url.protocol === 'https:') {
    const makeAgent = (context: SecureContext) => createTlsAgent(context, deps, proxy);
    return createTlsRouter(createTlsSource(deps.config), makeAgent, direct);
  }
  if (proxy?.url.protocol === 'https:') {
    const makeAgent = (context: SecureContext) => createTlsAgent(context, deps, undefined);
    return createTlsRouter(proxy.tls, makeAgent, (target) => viaProxy(target, proxy));
  }
  const agent = new HttpAgent(AGENT_OPTIONS);
  return {
    route: (target) => ({ kind: 'ready', agent, options: proxy ? viaProxy(target, proxy) : direct(target) }),
    close: () => agent.destroy(),
  };
}

/** The agent is made anew when the TLS files changed; connections of the old one end. */
function createTlsRouter(
  tls: () => TlsState,
  makeAgent: (context: SecureContext) => HttpsAgent,
  optionsFor: (target: URL) => RequestOptions,
): Router {
  let current: { readonly version: string; readonly agent: HttpsAgent } | undefined;

  function agentFor(state: TlsState & { kind: 'ready' }): HttpsAgent {
    if (current?.version === state.version) return current.agent;
    current?.agent.destroy();
    current = { version: state.version, agent: makeAgent(state.context) };
    return current.agent;
  }

  return {
    route(target) {
      const state = tls();
      if (state.kind === 'unusable') return { kind: 'blocked', reason: state.reason };
      return { kind: 'ready', agent: agentFor(state), options: optionsFor(target) };
    },
    close: () => current?.agent.destroy(),
  };
}

function createTlsAgent(
  context: SecureContext,
  deps: RouterDeps,
  proxy: ProxyServer | undefined,
): HttpsAgent {
  // Said here, since a variable of the environment can turn verification off for who does not say.
  const agent = new HttpsAgent({
    ...AGENT_OPTIONS,
    secureContext: context,
    rejectUnauthorized: true,
    maxCachedSessions: 0,
  });
  if (!proxy) return agent;
  const { clock, connectTimeoutMs: timeoutMs } = deps;
  agent.createConnection = (target, callback) => {
    connectThrough(target, { proxy, clock, timeoutMs }).then(
      (socket) => callback?.(null, socket),
      (error) => callback?.(error, undefined as never),
    );
    return undefined;
  };
  return agent;
}

function direct(url: URL): RequestOptions {
  return {
    protocol: url.protocol,
    host: bareHost(url),
    port: portOf(url),
    path: url.pathname + url.search,
    headers: { host: url.host },
  };
}

/** Plain http goes through a proxy by naming the whole URL (RFC 9112, absolute-form). */
function viaProxy(url: URL, proxy: ProxyServer): RequestOptions {
  const authorization = proxy.authorization();
  return {
    protocol: proxy.url.protocol,
    host: bareHost(proxy.url),
    port: portOf(proxy.url),
    path: url.href,
    headers: { host: url.host, ...(authorization !== undefined && { 'proxy-authorization': authorization }) },
  };
}

function proxyFor(url: URL, { config, proxyAuth }: RouterDeps): ProxyServer | undefined {
  if (!config.proxy || bypassesProxy(url, config.noProxy ?? [])) return undefined;
  const proxyUrl = new URL(config.proxy);
  return {
    url: proxyUrl,
    authorization: () => basic(credentialOf(proxyUrl, proxyAuth)),
    tls: createTlsSource({ caFile: config.caFile ?? null }),
  };
}

function credentialOf(proxyUrl: URL, proxyAuth: SecretSource): string | undefined {
  const secret = proxyAuth();
  if (secret.kind === 'value') return secret.value;
  if (proxyUrl.username === '') return undefined;
  return `${decodeURIComponent(proxyUrl.username)}:${decodeURIComponent(proxyUrl.password)}`;
}

function basic(credential: string | undefined): string | undefined {
  return credential === undefined ? undefined : `Basic ${Buffer.from(credential).toString('base64')}`;
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
