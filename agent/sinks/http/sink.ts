import { batchIdOf } from '../../contract/batch.ts';
import type { Batch, SendResult, Sink } from '../../contract/sink.ts';
import type { HttpSinkConfig } from '../config.ts';
import type { SinkDeps } from '../deps.ts';
import { createHttpClient, type HttpClient } from '../transport/client.ts';
import { createEncoder, type EncodedBody, type Encoder } from '../transport/encoder.ts';
import type { Answer } from '../transport/exchange.ts';
import { createSecretSource, type SecretSource } from '../transport/secret.ts';
import { describeAnswer, isSuccess, jsonOf, resultOfStatus } from '../transport/status.ts';
import { resultOfAck } from './ack.ts';

/** Appended to a configured base URL that does not end with it. */
const ROWS_PATH = '/v1/rows';

/** A batch without rows: a collector answers it like any other, which tells that it takes our credential. */
const NOTHING: Batch = {
  id: batchIdOf([]),
  lane: 'live',
  rows: 0,
  firstSeq: 0,
  lastSeq: 0,
  ndjson: Buffer.alloc(0),
  rowIds: [],
};

/** Sends batches as docs/collector-protocol.md says. */
export function createHttpSink(config: HttpSinkConfig, deps: SinkDeps): Sink {
  return new HttpSink(config, deps);
}

class HttpSink implements Sink {
  readonly id: string;
  readonly #deps: SinkDeps;
  readonly #url: URL;
  readonly #token: SecretSource;
  readonly #client: HttpClient;
  readonly #encoder: Encoder;

  constructor(config: HttpSinkConfig, deps: SinkDeps) {
    this.id = config.id;
    this.#deps = deps;
    this.#client = createHttpClient(config, deps);
    this.#url = rowsUrl(config.url);
    this.#encoder = createEncoder(config.compression);
    const { tokenFile: file, tokenEnv: variable } = config;
    this.#token = createSecretSource({ name: 'token', file, variable, secret: deps.secret });
  }

  async send(batch: Batch, signal: AbortSignal): Promise<SendResult> {
    const token = this.#token();
    if (token.kind === 'missing') return { kind: 'unauthorized', reason: token.reason };
    const encoded = await this.#encoder.encode(batch);
    const bearer = token.kind === 'value' ? token.value : undefined;
    const headers = this.#headers(batch, encoded, bearer);
    const result = await this.#client.post({ url: this.#url, headers, body: encoded.body }, signal);
    if (result.kind === 'failed') {
      return { kind: result.credential ? 'unauthorized' : 'retry', reason: result.reason };
    }
    return this.#read(result.answer, batch, bearer === undefined ? [] : [bearer]);
  }

  async probe(signal: AbortSignal) {
    const result = await this.send(NOTHING, signal);
    if (result.kind === 'accepted') return { ok: true } as const;
    const reason = result.kind === 'partial' ? 'rows were rejected where none were sent' : result.reason;
    return { ok: false, reason } as const;
  }

  async close(): Promise<void> {
    this.#client.close();
  }

  #headers(batch: Batch, { encoding }: EncodedBody, bearer: string | undefined) {
    const { origin, version } = this.#deps;
    return {
      'content-type': 'application/x-ndjson',
      'x-holdfast-batch': batch.id,
      'x-holdfast-host': origin.hostId,
      'x-holdfast-epoch': origin.epoch,
      'x-holdfast-rows': batch.rows,
      'user-agent': `holdfast/${version}`,
      accept: 'application/json',
      ...(encoding !== undefined && { 'content-encoding': encoding }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    };
  }

  #read(answer: Answer, batch: Batch, secrets: readonly string[]): SendResult {
    if (answer.status === 415 && this.#encoder.simplify()) {
      this.#deps.logger.info('Collector does not take the compression; a simpler one is used', {
        sink: this.id,
      });
      return { kind: 'retry', reason: 'the collector does not take the compression', afterMs: 0 };
    }
    if (!isSuccess(answer)) return resultOfStatus(answer, { now: this.#deps.clock.now(), secrets });
    const result = resultOfAck(jsonOf(answer), batch);
    if (result.kind === 'retry') {
      return { kind: 'retry', reason: `${result.reason} (${describeAnswer(answer, secrets)})` };
    }
    this.#encoder.forget(batch.id);
    return result;
  }
}

function rowsUrl(base: string): URL {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(ROWS_PATH) ? path : path + ROWS_PATH;
  return url;
}
