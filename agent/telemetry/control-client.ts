import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import {
  ConfigError,
  type ConfigIssue,
  EnvironmentError,
  errnoOf,
  HoldfastError,
  UsageError,
} from '../contract/errors.ts';
import type { HealthDocument } from './health.ts';

/** How commands talk to the running agent. Every call fails with NOT_RUNNING when none answers. */
export interface ControlClient {
  health(): Promise<HealthDocument>;
  metrics(): Promise<string>;
  sessions(query?: { readonly limit?: number; readonly prefix?: string }): Promise<readonly unknown[]>;
  /** JSON lines of a session's rows; a last line {"skipped": n} when not all are shown. */
  rows(
    query: { readonly agent: string; readonly session: string },
    signal?: AbortSignal,
  ): AsyncIterable<string>;
  /** JSON lines as rows are committed, until aborted; {"skipped": n} where rows are no longer held. */
  tail(query?: { readonly since?: number }, signal?: AbortSignal): AsyncIterable<string>;
  sweep(): Promise<unknown>;
  reload(): Promise<unknown>;
}

type Query = Readonly<Record<string, string | number | undefined>>;

const LINE_FEED = 0x0a;

export function createControlClient(path: string): ControlClient {
  return {
    health: async () => JSON.parse(await text('GET', '/health')),
    metrics: () => text('GET', '/metrics'),
    sessions: async (query = {}) => JSON.parse(await text('GET', '/sessions', query)).sessions,
    rows: (query, signal) => lines('/rows', query, signal),
    tail: (query = {}, signal) => lines('/tail', query, signal),
    sweep: async () => JSON.parse(await text('POST', '/sweep')),
    reload: async () => JSON.parse(await text('POST', '/reload')),
  };

  async function text(method: string, route: string, query: Query = {}): Promise<string> {
    return bodyOf(await send(method, withQuery(route, query)));
  }

  async function* lines(route: string, query: Query, signal?: AbortSignal): AsyncGenerator<string> {
    const response = await send('GET', withQuery(route, query), signal);
    try {
      yield* linesOf(response);
    } catch (error) {
      if (!signal?.aborted) throw notRunning(path, error);
    } finally {
      response.destroy();
    }
  }

  async function send(method: string, route: string, signal?: AbortSignal): Promise<IncomingMessage> {
    const sent = request({ socketPath: path, path: route, method, agent: false, ...(signal && { signal }) });
    sent.end();
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      if (response.statusCode === 200) return response;
      throw errorFrom(await bodyOf(response));
    } catch (error) {
      throw error instanceof HoldfastError ? error : notRunning(path, error);
    } finally {
      // What goes wrong later is told by the response.
      sent.on('error', () => undefined);
    }
  }
}

function withQuery(route: string, query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? route : `${route}?${given}`;
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Lines split at the line feed only: rows may hold every other kind of line end. */
async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
}

function errorFrom(body: string): HoldfastError {
  const { name, code, message, hint, issues } = JSON.parse(body).error as {
    readonly name?: string;
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly issues?: readonly ConfigIssue[];
  };
  if (issues) return new ConfigError(issues);
  const options = hint === undefined ? {} : { hint };
  if (name === 'UsageError') return new UsageError(code, message, options);
  if (name === 'EnvironmentError') return new EnvironmentError(code, message, options);
  return new HoldfastError(code, message, options);
}

function notRunning(path: string, cause: unknown): EnvironmentError {
  const errno = errnoOf(cause);
  if (errno === 'EACCES' || errno === 'EPERM') {
    return new EnvironmentError('CONTROL_DENIED', `the control socket ${path} may not be opened`, {
      hint: 'Run the command as the user that runs Holdfast (for the service: with sudo, or as administrator).',
      cause,
    });
  }
  return new EnvironmentError('NOT_RUNNING', `Holdfast is not running: nothing answers on ${path}`, {
    hint: 'Start the service, or run `holdfast run`. With another state_dir, name the same configuration.',
    cause,
  });
}
