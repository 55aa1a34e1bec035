import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EnvironmentError, errnoOf, messageOf } from '../agent/contract/errors.ts';
import type { Logger } from '../agent/contract/logger.ts';
import { createGuard } from './auth.ts';
import { createBudget } from './body.ts';
import { openDatabase } from './database.ts';
import { type CollectorOptions, checkBinding, limitsOf } from './options.ts';
import { createQueries } from './query.ts';
import { Refusal, refusalReply, sendReply } from './reply.ts';
import { createRoutes, type Serve } from './routes.ts';
import { createHttpServer } from './server.ts';
import { createCollectorStore, type Stored } from './store.ts';
import { createTurns } from './turns.ts';

/** The embedded reference collector, listening. */
export interface Collector {
  /** Base URL that sinks take. */
  readonly url: string;
  readonly port: number;
  /** Counts since the start. */
  stats(): CollectorStats;
  /** Forgets rows received before the time (milliseconds since 1970), a bounded number; returns how many. */
  prune(before: number): number;
  /** Ends after the requests under way. */
  close(): Promise<void>;
}

export interface CollectorStats {
  readonly batches: number;
  readonly rows: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** Requests that were answered with an error. */
  readonly refused: number;
}

/** How long requests under way may take to end once the collector closes. */
const GRACE_MS = 2000;

/** Throws EnvironmentError when the address cannot or must not be listened on, StoreError for the database. */
export async function createCollector(options: CollectorOptions): Promise<Collector> {
  checkBinding(options);
  const { dir, host = '127.0.0.1', port = 0, tokens = [], tls, clock } = options;
  const guard = createGuard(tokens);
  const logger = options.logger.child('collector');
  const limits = limitsOf(options);
  const db = openDatabase(dir, limits.maxDatabaseBytes);
  const store = createCollectorStore(db);
  const stats = { batches: 0, rows: 0, duplicates: 0, rejected: 0, refused: 0 };
  const serve = createRoutes({
    guard,
    queries: createQueries(db),
    ingest: {
      store,
      limits,
      budget: createBudget(limits.maxWaitingBytes),
      clock,
      inTurn: createTurns(),
      onStored: (stored) => count(stats, stored),
    },
  });
  const server = createHttpServer(
    (request, response) => void answer(request, response, { serve, logger, stats }),
    tls,
    limits,
  );
  try {
    await listen(server, host, port);
  } catch (error) {
    db.close();
    throw error;
  }
  const address = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    stats: () => ({ ...stats }),
    prune: (before) => store.prune(before),
    async close() {
      const timer = clock.after(GRACE_MS, () => server.closeAllConnections());
      await endServer(server);
      timer.cancel();
      db.close();
    },
  };
}

interface AnswerDeps {
  readonly serve: Serve;
  readonly logger: Logger;
  readonly stats: { refused: number };
}

async function answer(request: IncomingMessage, response: ServerResponse, deps: AnswerDeps): Promise<void> {
  try {
    sendReply(response, await deps.serve(request));
  } catch (error) {
    // A sender that went away while it sent is nobody's fault here, and nobody is left to answer.
    if (request.destroyed && !request.complete) return;
    deps.stats.refused++;
    sendReply(response, refusalReply(asRefusal(error, deps.logger)));
  }
  // What was not read of the body is thrown away, so that the sender gets to see the answer.
  request.resume();
}

function asRefusal(error: unknown, logger: Logger): Refusal {
  if (error instanceof Refusal) return error;
  const code = errnoOf(error) ?? '';
  logger.error('Collector cannot serve a request', {
    event: 'collector.failed',
    code,
    reason: messageOf(error),
  });
  if (code === 'SQLITE_FULL') return new Refusal(507, 'the disk of the collector is full');
  return new Refusal(500, 'the collector failed');
}

function count(stats: { -readonly [K in keyof CollectorStats]: number }, stored: Stored): void {
  stats.batches++;
  stats.rows += stored.accepted;
  stats.duplicates += stored.duplicates;
  stats.rejected += stored.rejected.length;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (cause: Error) => {
      const reason = errnoOf(cause) ?? cause.message;
      reject(
        new EnvironmentError(
          'COLLECTOR_LISTEN',
          `The collector cannot listen on ${host}:${port}: ${reason}.`,
          {
            hint: 'Another program may use the port; collector.port chooses another one.',
            cause,
          },
        ),
      );
    };
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve();
    });
  });
}

function endServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
