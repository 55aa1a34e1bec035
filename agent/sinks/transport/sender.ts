import type { Batch, SendResult } from '../../contract/sink.ts';
import type { Compression, HttpConnectionConfig } from '../config.ts';
import type { SinkDeps } from '../deps.ts';
import type { Authorization } from './authorization.ts';
import { createHttpClient, type HttpRequest } from './client.ts';
import { createEncoder } from './encoder.ts';
import type { Answer } from './exchange.ts';

export interface SenderOptions {
  readonly config: HttpConnectionConfig & { readonly id: string; readonly compression: Compression };
  readonly deps: SinkDeps;
  readonly authorize: () => Authorization;
  /** The rows in the form that the other end wants; NDJSON unless said otherwise. */
  readonly bodyOf?: (batch: Batch) => Buffer;
}

/** An answer, or what follows from there being none. What an answer means is the sink's business. */
export type Reply =
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      /** Values that must not show in a reason. */
      readonly secrets: readonly string[];
    }
  | { readonly kind: 'none'; readonly result: NoAnswer };

/** Kinds of result that need no answer. */
export type NoAnswer = Extract<SendResult, { kind: 'retry' | 'unauthorized' }>;

/** Puts batches and smaller questions on the wire: credential, compression, connection. Sends once. */
export interface Sender {
  post(batch: Batch, request: HttpRequest, signal: AbortSignal): Promise<Reply>;
  /** A request that carries no rows. */
  ask(request: HttpRequest, signal: AbortSignal): Promise<Reply>;
  /** Nothing of this batch is sent again. */
  forget(batchId: string): void;
  close(): void;
}

/** Throws when the settings themselves rule the sink out. */
export function createSender({ config, deps, authorize, bodyOf }: SenderOptions): Sender {
  const client = createHttpClient(config, deps);
  const encoder = createEncoder(config.compression, bodyOf);

  async function ask(request: HttpRequest, signal: AbortSignal): Promise<Reply> {
    const authorization = authorize();
    if (authorization.kind === 'missing') return none('unauthorized', authorization.reason);
    const headers = {
      accept: 'application/json',
      'user-agent': `holdfast/${deps.version}`,
      ...request.headers,
      ...authorization.headers,
    };
    const result = await client.send({ ...request, headers }, signal);
    if (result.kind === 'failed') return none(result.credential ? 'unauthorized' : 'retry', result.reason);
    return { kind: 'answer', answer: result.answer, secrets: authorization.secrets };
  }

  return {
    ask,
    async post(batch, request, signal) {
      const { body, encoding } = await encoder.encode(batch);
      const headers = { ...request.headers, ...(encoding !== undefined && { 'content-encoding': encoding }) };
      const reply = await ask({ ...request, headers, body }, signal);
      if (reply.kind === 'none' || reply.answer.status !== 415 || !encoder.simplify()) return reply;
      const { id: sink } = config;
      deps.logger.info('Collector does not take the compression; a simpler one is used', { sink });
      const reason = 'the collector does not take the compression';
      return { kind: 'none', result: { kind: 'retry', reason, afterMs: 0 } };
    },
    forget: (batchId) => encoder.forget(batchId),
    close: () => client.close(),
  };
}

function none(kind: NoAnswer['kind'], reason: string): Reply {
  return { kind: 'none', result: { kind, reason } };
}
