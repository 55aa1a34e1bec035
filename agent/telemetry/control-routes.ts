import type { ServerResponse } from 'node:http';
import { ConfigError, HoldfastError, UsageError } from '../contract/errors.ts';
import type { HealthDocument } from './health.ts';
import { METRICS_CONTENT_TYPE } from './metrics-text.ts';
import { streamTail, type TailSource } from './tail-stream.ts';

/** What the running agent answers to `holdfast` commands. */
export interface ControlHandlers extends TailSource {
  health(): HealthDocument;
  /** Prometheus text. */
  metrics(): string;
  /** Sessions, latest first; with a prefix, those whose id begins with it. */
  sessions(query: { readonly limit: number; readonly prefix: string | undefined }): readonly unknown[];
  /** Rows of a session that are held locally, as JSON lines. Read at once, so that nothing stays open. */
  rows(query: { readonly agent: string; readonly session: string }): Iterable<string>;
  /** Sweeps everything now; resolves with what to tell. */
  sweep(): Promise<unknown>;
  /** Reads the configuration again; resolves with what changed, rejects with a ConfigError. */
  reload(): Promise<unknown>;
}

export interface ControlRequest {
  readonly query: URLSearchParams;
  readonly response: ServerResponse;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  handle(request: ControlRequest): void | Promise<void>;
}

const NDJSON_TYPE = 'application/x-ndjson';

const HIDDEN_ERROR = [500, { code: 'INTERNAL', message: 'the request failed; the log says why' }] as const;

const MAX_SESSIONS = 10_000;

/** More of one session is cut, and the last line says how many rows were. */
const MAX_ROWS_BYTES = 64 * 1024 * 1024;

export function controlRoutes(handlers: ControlHandlers): Readonly<Record<string, Route>> {
  return {
    '/health': { method: 'GET', handle: ({ response }) => sendJson(response, 200, handlers.health()) },
    '/metrics': {
      method: 'GET',
      handle: ({ response }) => send(response, METRICS_CONTENT_TYPE, handlers.metrics()),
    },
    '/sessions': { method: 'GET', handle: (request) => sessions(handlers, request) },
    '/rows': { method: 'GET', handle: (request) => rows(handlers, request) },
    '/tail': { method: 'GET', handle: (request) => tail(handlers, request) },
    '/sweep': {
      method: 'POST',
      handle: async ({ response }) => sendJson(response, 200, await handlers.sweep()),
    },
    '/reload': {
      method: 'POST',
      handle: async ({ response }) => sendJson(response, 200, await handlers.reload()),
    },
  };
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.statusCode = status;
  send(response, 'application/json', `${JSON.stringify(value ?? {})}\n`);
}

/** The error as the client rebuilds it. What is no HoldfastError is a bug and stays in the log. */
export function sendError(response: ServerResponse, error: unknown): void {
  const [status, shown] = error instanceof HoldfastError ? shownError(error) : HIDDEN_ERROR;
  sendJson(response, status, { error: shown });
}

function shownError(error: HoldfastError): readonly [status: number, shown: object] {
  const { name, code, hint, message } = error;
  const issues = error instanceof ConfigError ? { issues: error.issues } : {};
  return [error instanceof UsageError ? 400 : 409, { name, code, message, hint, ...issues }];
}

function sessions(handlers: ControlHandlers, { query, response }: ControlRequest): void {
  const limit = wholeNumber(query, 'limit') ?? 50;
  const found = handlers.sessions({
    limit: Math.min(limit, MAX_SESSIONS),
    prefix: query.get('prefix') ?? undefined,
  });
  sendJson(response, 200, { sessions: found });
}

function rows(handlers: ControlHandlers, { query, response }: ControlRequest): void {
  const [agent, session] = [required(query, 'agent'), required(query, 'session')];
  const lines: string[] = [];
  let [bytes, skipped] = [0, 0];
  for (const line of handlers.rows({ agent, session })) {
    bytes += line.length;
    if (bytes > MAX_ROWS_BYTES) skipped++;
    else lines.push(line, '\n');
  }
  if (skipped > 0) lines.push(`${JSON.stringify({ skipped })}\n`);
  send(response, NDJSON_TYPE, lines.join(''));
}

async function tail(handlers: ControlHandlers, { query, response }: ControlRequest): Promise<void> {
  const since = wholeNumber(query, 'since');
  response.setHeader('content-type', NDJSON_TYPE);
  response.flushHeaders();
  await streamTail(handlers, response, since);
}

function send(response: ServerResponse, type: string, body: string): void {
  response.setHeader('content-type', type);
  response.end(body);
}

function required(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null || value === '') throw new UsageError('QUERY_INVALID', `the query needs ${name}`);
  return value;
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (!/^\d{1,15}$/.test(value)) throw new UsageError('QUERY_INVALID', `${name} must be a whole number`);
  return Number(value);
}
