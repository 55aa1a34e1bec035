import type { Batch, ProbeResult, SendResult, Sink } from '../../contract/sink.ts';
import type { ElasticsearchSinkConfig } from '../config.ts';
import type { SinkDeps } from '../deps.ts';
import { createAuthorization } from '../transport/authorization.ts';
import { endpointUrl } from '../transport/endpoint.ts';
import type { Answer } from '../transport/exchange.ts';
import { createSecretSource } from '../transport/secret.ts';
import { createSender, type Reply, type Sender } from '../transport/sender.ts';
import { describeAnswer, isSuccess, jsonOf, resultOfStatus, retryAsToldBy } from '../transport/status.ts';
import { resultOfBulk } from './answer.ts';
import { bulkOf } from './bulk.ts';

const BULK_PATH = '/_bulk';

/** All of an answer that is read; the rest would only make it larger. */
const WANTED = 'errors,items.*._id,items.*.status,items.*.error.type,items.*.error.reason';

/** An answer has an item for every row. Whole items, from a server that does not filter, fit into this too. */
const ANSWER_BASE_BYTES = 1 << 20;
const ANSWER_ROW_BYTES = 2048;

/** Sends rows as documents to Elasticsearch or OpenSearch; docs/sinks/elasticsearch.md has the mapping. */
export function createElasticsearchSink(config: ElasticsearchSinkConfig, deps: SinkDeps): Sink {
  return new ElasticsearchSink(config, deps);
}

class ElasticsearchSink implements Sink {
  readonly id: string;
  readonly #deps: SinkDeps;
  readonly #url: URL;
  readonly #sender: Sender;

  constructor(config: ElasticsearchSinkConfig, deps: SinkDeps) {
    const { id, tokenFile: file, tokenEnv: variable, auth: scheme, index, genAiContent } = config;
    const { version, origin } = deps;
    const token = createSecretSource({ name: 'token', file, variable, secret: deps.secret });
    this.id = id;
    this.#deps = deps;
    this.#url = endpointUrl(config.url, BULK_PATH);
    this.#url.searchParams.set('filter_path', WANTED);
    this.#sender = createSender({
      config,
      deps,
      authorize: createAuthorization(token, { scheme }),
      bodyOf: (batch) => bulkOf(batch, { index, version, origin, genAiContent }),
    });
  }

  async send(batch: Batch, signal: AbortSignal): Promise<SendResult> {
    const headers = { 'content-type': 'application/x-ndjson' };
    const maxAnswerBytes = ANSWER_BASE_BYTES + batch.rows * ANSWER_ROW_BYTES;
    const reply = await this.#sender.post(batch, { url: this.#url, headers, maxAnswerBytes }, signal);
    return reply.kind === 'none' ? reply.result : this.#read(reply, batch);
  }

  /** Asks the cluster for its name and version, which needs the privilege `monitor`. */
  async probe(signal: AbortSignal): Promise<ProbeResult> {
    const url = new URL(this.#url);
    url.pathname = url.pathname.slice(0, -BULK_PATH.length) || '/';
    url.search = '';
    const reply = await this.#sender.ask({ method: 'GET', url, headers: {} }, signal);
    if (reply.kind === 'none') return { ok: false, reason: reply.result.reason };
    if (isCluster(reply.answer) || knowsUs(reply.answer)) return { ok: true };
    return { ok: false, reason: describeAnswer(reply.answer, reply.secrets) };
  }

  async close(): Promise<void> {
    this.#sender.close();
  }

  #read({ answer, secrets }: Reply & { kind: 'answer' }, batch: Batch): SendResult {
    const context = { now: this.#deps.clock.now(), secrets };
    if (!isSuccess(answer)) return resultOfRefusal(answer, context);
    const result = resultOfBulk(jsonOf(answer), batch);
    if (!result) {
      const reason = 'the answer is no acknowledgement: it does not tell what became of every row';
      return { kind: 'retry', reason: `${reason} (${describeAnswer(answer, secrets)})` };
    }
    if (result.kind === 'accepted' || result.kind === 'partial') this.#sender.forget(batch.id);
    return result;
  }
}

/** A 400 speaks of the rows only when the cluster says it; a gateway's may be about anything. */
function resultOfRefusal(answer: Answer, context: Parameters<typeof resultOfStatus>[1]): SendResult {
  const result = resultOfStatus(answer, context);
  const isOurs =
    result.kind !== 'refused' || result.cause === 'too_large' || errorTypeOf(answer) !== undefined;
  return isOurs ? result : retryAsToldBy(answer, result.reason, context);
}

function isCluster(answer: Answer): boolean {
  const { version } = Object(jsonOf(answer)) as { readonly version?: unknown };
  return isSuccess(answer) && typeof Object(version).number === 'string';
}

/** A credential that may only write is known to the cluster, which then refuses to say more. */
function knowsUs(answer: Answer): boolean {
  return answer.status === 403 && errorTypeOf(answer) === 'security_exception';
}

function errorTypeOf(answer: Answer): string | undefined {
  const { error } = Object(jsonOf(answer)) as { readonly error?: unknown };
  const { type } = Object(error) as { readonly type?: unknown };
  return typeof type === 'string' ? type : undefined;
}
