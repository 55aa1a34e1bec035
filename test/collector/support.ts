import { request } from 'node:http';
import { connect } from 'node:net';
import { silentLogger } from '../../agent/contract/logger.ts';
import type { Row } from '../../agent/contract/row.ts';
import { systemClock } from '../../agent/platform/clock.ts';
import { type Collector, createCollector } from '../../collector/collector.ts';
import type { CollectorOptions } from '../../collector/options.ts';
import { batchOf } from '../support/batches.ts';
import { onCleanUp, tempDir } from '../support/temp.ts';

export const TOKENS = ['first-token', 'second-token'];

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A collector on a free port of loopback with a database of its own. */
export async function startCollector(changes: Partial<CollectorOptions> = {}): Promise<Collector> {
  const collector = await createCollector({
    dir: tempDir('collector'),
    tokens: TOKENS,
    clock: systemClock,
    logger: silentLogger,
    ...changes,
  });
  onCleanUp(() => collector.close());
  return collector;
}

export interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: Buffer | string;
}

/** One request with the first token unless the headers say otherwise. */
export function call(
  collector: Collector,
  { method = 'GET', path = '/v1/rows', headers, body }: Call,
): Promise<Reply> {
  const all = { authorization: `Bearer ${TOKENS[0]}`, ...headers };
  const set = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const message = request(
      {
        host: '127.0.0.1',
        port: collector.port,
        path,
        method,
        headers: set as Record<string, string>,
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      },
    );
    message.on('error', reject);
    message.end(body);
  });
}

export interface SendOptions {
  readonly host?: string;
  readonly epoch?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent in place of the rows as NDJSON. */
  readonly body?: Buffer | string;
}

/** Sends rows as a batch; gives the answer and what it says. */
export async function send(collector: Collector, rows: readonly Row[], options: SendOptions = {}) {
  const { host = 'host-1', epoch = 'epoch-1', headers, body } = options;
  const batch = batchOf(rows);
  const reply = await call(collector, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-ndjson',
      'x-holdfast-batch': batch.id,
      'x-holdfast-host': host,
      'x-holdfast-epoch': epoch,
      'x-holdfast-rows': String(rows.length),
      ...headers,
    },
    body: body ?? batch.ndjson,
  });
  return { ...reply, batch: batch.id, ack: JSON.parse(reply.body) };
}

export async function hostsOf(collector: Collector) {
  return JSON.parse((await call(collector, { path: '/v1/hosts' })).body).hosts;
}

/** Texts of the rows that a query gives. */
export async function query(collector: Collector, parameters = ''): Promise<string[]> {
  const { body } = await call(collector, { path: `/v1/rows${parameters}` });
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).text);
}

/** Writes bytes to the port as they are and gives everything that comes back until the connection ends. */
export function raw(collector: Collector, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(collector.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
    socket.write(bytes);
  });
}
