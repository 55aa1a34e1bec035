import { type Metrics, noMetrics } from '../../contract/metrics.ts';
import type { Batch, ProbeResult, SendResult, Sink } from '../../contract/sink.ts';
import type { OtlpSinkConfig } from '../config.ts';
import type { SinkDeps } from '../deps.ts';
import { EMPTY_BATCH } from '../empty-batch.ts';
import { createAuthorization } from '../transport/authorization.ts';
import { endpointUrl } from '../transport/endpoint.ts';
import { printable } from '../transport/excerpt.ts';
import { createSecretSource } from '../transport/secret.ts';
import { createSender, type Reply, type Sender } from '../transport/sender.ts';
import { describeAnswer, isSuccess, jsonOf, resultOfStatus } from '../transport/status.ts';
import { type ExportAnswer, isRefusal, readExportAnswer } from './answer.ts';
import { logsRequestOf } from './request.ts';

const LOGS_PATH = '/v1/logs';

/** Recommended bound on an answer (OTLP 1.11, "OTLP/HTTP Response"). */
const MAX_ANSWER_BYTES = 4 << 20;

const MESSAGE_CHARS = 200;

/** Sends rows as log records by OTLP over HTTP in JSON; docs/sinks/otlp.md has the mapping. */
export function createOtlpSink(config: OtlpSinkConfig, deps: SinkDeps): Sink {
  return new OtlpSink(config, deps);
}

class OtlpSink implements Sink {
  readonly id: string;
  readonly #acceptEmpty: boolean;
  readonly #deps: SinkDeps;
  readonly #metrics: Metrics;
  readonly #url: URL;
  readonly #sender: Sender;

  constructor(config: OtlpSinkConfig, deps: SinkDeps) {
    const {
      id,
      tokenFile: file,
      tokenEnv: variable,
      auth: scheme,
      authHeader: header,
      genAiContent,
    } = config;
    const { version, origin } = deps;
    const token = createSecretSource({ name: 'token', file, variable, secret: deps.secret });
    this.id = id;
    this.#acceptEmpty = config.acceptEmpty;
    this.#deps = deps;
    this.#metrics = deps.metrics ?? noMetrics;
    this.#url = endpointUrl(config.url, LOGS_PATH);
    this.#sender = createSender({
      config,
      deps,
      authorize: createAuthorization(token, { scheme, header }),
      bodyOf: (batch) => logsRequestOf(batch, { version, origin, genAiContent }),
    });
  }

  async send(batch: Batch, signal: AbortSignal): Promise<SendResult> {
    const headers = { 'content-type': 'application/json' };
    const request = { url: this.#url, headers, maxAnswerBytes: MAX_ANSWER_BYTES };
    const reply = await this.#sender.post(batch, request, signal);
    return reply.kind === 'none' ? reply.result : this.#read(reply, batch);
  }

  async probe(signal: AbortSignal): Promise<ProbeResult> {
    const result = await this.send(EMPTY_BATCH, signal);
    if (result.kind === 'accepted') return { ok: true };
    return { ok: false, reason: result.kind === 'partial' ? 'records were rejected' : result.reason };
  }

  async close(): Promise<void> {
    this.#sender.close();
  }

  #read({ answer, secrets }: Reply & { kind: 'answer' }, batch: Batch): SendResult {
    if (isRefusal(answer.status, jsonOf(answer))) {
      return { kind: 'refused', cause: 'invalid', reason: describeAnswer(answer, secrets) };
    }
    if (!isSuccess(answer)) return resultOfStatus(answer, { now: this.#deps.clock.now(), secrets });
    const isEmpty = answer.body.length === 0 && this.#acceptEmpty;
    const said = isEmpty ? readExportAnswer({}, batch.rows) : readExportAnswer(jsonOf(answer), batch.rows);
    if (said.kind === 'unclear') {
      const reason = `the answer is no acknowledgement: ${said.why} (${describeAnswer(answer, secrets)})`;
      return { kind: 'retry', reason };
    }
    this.#sender.forget(batch.id);
    return this.#settle(said, batch, printable(said.message, secrets).slice(0, MESSAGE_CHARS));
  }

  /**
   * OTLP forbids sending again what was rejected and does not say what that was. When it is every record, they
   * are named; else the number and the message are all there is to tell.
   */
  #settle({ rejected }: ExportAnswer & { kind: 'taken' }, batch: Batch, message: string): SendResult {
    const { logger } = this.#deps;
    if (rejected === 0) {
      if (message !== '') logger.debug('OTLP receiver took everything and adds', { sink: this.id, message });
      return { kind: 'accepted' };
    }
    const reason = message === '' ? 'no reason given' : message;
    if (rejected === batch.rows) {
      return { kind: 'partial', rejected: batch.rowIds.map((_, index) => ({ index, reason })), retry: [] };
    }
    this.#metrics.add('holdfast_rejected_rows_total', rejected, { sink: this.id });
    logger.warn('OTLP receiver refused rows of a batch and does not say which', {
      event: 'sink.rejected_unnamed',
      sink: this.id,
      rows: rejected,
      of: batch.rows,
      first_seq: batch.firstSeq,
      last_seq: batch.lastSeq,
      batch: batch.id,
      reason,
    });
    return { kind: 'accepted' };
  }
}
