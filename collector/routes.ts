import type { IncomingMessage } from 'node:http';
import type { Guard } from './auth.ts';
import { filtersOf } from './filters.ts';
import { type IngestDeps, ingest } from './ingest.ts';
import type { Queries } from './query.ts';
import { jsonReply, Refusal, type Reply } from './reply.ts';

export interface RouteDeps {
  readonly guard: Guard;
  readonly queries: Queries;
  readonly ingest: IngestDeps;
}

/** Answers a request; throws a Refusal when it is not served. */
export type Serve = (request: IncomingMessage) => Promise<Reply> | Reply;

type Handler = (request: IncomingMessage, query: string) => Promise<Reply> | Reply;
type Methods = Readonly<Partial<Record<string, Handler>>>;

/** Finds what serves a request. Paths are compared as they came: there is nothing to walk around in. */
export function createRoutes({ guard, queries, ingest: deps }: RouteDeps): Serve {
  const guarded = (handler: Handler): Handler => {
    return (request, query) => {
      guard(request);
      return handler(request, query);
    };
  };
  const routes = new Map<string, Methods>([
    [
      '/v1/rows',
      { POST: guarded((request) => ingest(request, deps)), GET: guarded((_, query) => rows(queries, query)) },
    ],
    ['/v1/hosts', { GET: guarded((_, query) => hosts(queries, query)) }],
    ['/v1/sessions', { GET: guarded((_, query) => sessions(queries, query)) }],
    ['/v1/health', { GET: (request) => health(request, guard, queries) }],
  ]);
  return (request) => {
    const [path = '', query = ''] = split(request.url ?? '');
    const methods = routes.get(path);
    if (!methods) throw new Refusal(404, 'there is nothing here');
    const handler = Object.hasOwn(methods, request.method ?? '') ? methods[request.method ?? ''] : undefined;
    if (!handler)
      throw new Refusal(405, 'the method is not served here', { allow: Object.keys(methods).join(', ') });
    return handler(request, query);
  };
}

function split(url: string): [string, string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

function rows(queries: Queries, query: string): Reply {
  const page = queries.rows(
    filtersOf(query, ['session', 'agent', 'event', 'host', 'epoch', 'since_seq', 'after']),
  );
  return {
    status: 200,
    headers: {
      'content-type': 'application/x-ndjson',
      ...(page.next !== undefined && { 'x-holdfast-next': String(page.next) }),
    },
    body: page.ndjson,
  };
}

function hosts(queries: Queries, query: string): Reply {
  return jsonReply({ hosts: queries.hosts(filtersOf(query, ['host', 'epoch'])) });
}

function sessions(queries: Queries, query: string): Reply {
  return jsonReply({ sessions: queries.sessions(filtersOf(query, ['host', 'agent'])) });
}

/** Load balancers ask without a token and learn only that it runs; a token that is given must be right. */
function health(request: IncomingMessage, guard: Guard, queries: Queries): Reply {
  if (request.headers.authorization === undefined) return jsonReply({ status: 'ok' });
  guard(request);
  return jsonReply({ status: 'ok', ...queries.totals() });
}
