import { type Batch, originOf, type SendResult, type Sink } from '../../contract/sink.ts';
import type { HttpSinkConfig } from '../config.ts';
import type { SinkDeps } from '../deps.ts';
import { EMPTY_BATCH } from '../empty-batch.ts';
import { createAuthorization } from '../transport/authorization.ts';
import { endpointUrl } from '../transport/endpoint.ts';
import { createSecretSource } from '../transport/secret.ts';
import { createSender, type Reply, type Sender } from '../transport/sender.ts';
import { describeAnswer, isSuccess, jsonOf, resultOfStatus } from '../transport/status.ts';
import { resultOfAck } from './ack.ts';

/** Appended to a configured base URL that does not end with it. */
const ROWS_PATH = '/v1/rows';

/** Sends batches as docs/collector-protocol.md says. */
export function createHttpSink(config: HttpSinkConfig, deps: SinkDeps): Sink {
  return new HttpSink(config, deps);
}

class HttpSink implements Sink {
  readonly id: string;
  readonly #deps: SinkDeps;
  readonly #url: URL;
  readonly #sender: Sender;

  constructor(config: HttpSinkConfig, deps: SinkDeps) {
    const { id, tokenFile: file, tokenEnv: variable } = config;
    const token = createSecretSource({ name: 'token', file, variable, secret: deps.secret });
    this.id = id;
    this.#deps = deps;
    this.#sender = createSender({
      config,
      deps,
      authorize: createAuthorization(token, { scheme: 'bearer' }),
    });
    this.#url = endpointUrl(config.url, ROWS_PATH);
  }

  async send(batch: Batch, signal: AbortSignal): Promise<SendResult> {
    const { hostId, epoch } = originOf(batch, this.#deps.origin);
    const headers = {
      'content-type': 'application/x-ndjson',
      'x-holdfast-batch': batch.id,
      'x-holdfast-host': hostId,
      'x-holdfast-epoch': epoch,
      'x-holdfast-rows': batch.rows,
    };
    const reply = await this.#sender.post(batch, { url: this.#url, headers }, signal);
    return reply.kind === 'none' ? reply.result : this.#read(reply, batch);
  }

  async probe(signal: AbortSignal) {
    const result = await this.send(EMPTY_BATCH, signal);
    if (result.kind === 'accepted') return { ok: true } as const;
    const reason = result.kind === 'partial' ? 'rows were rejected where none were sent' : result.reason;
    return { ok: false, reason } as const;
  }

  async close(): Promise<void> {
    this.#sender.close();
  }

  #read({ answer, secrets }: Reply & { kind: 'answer' }, batch: Batch): SendResult {
    if (!isSuccess(answer)) return resultOfStatus(answer, { now: this.#deps.clock.now(), secrets });
    const result = resultOfAck(jsonOf(answer), batch);
    if (result.kind === 'retry') {
      return { kind: 'retry', reason: `${result.reason} (${describeAnswer(answer, secrets)})` };
    }
    this.#sender.forget(batch.id);
    return result;
  }
}
