import { randomUUID } from 'node:crypto';
import { type Batch, originOf, type ProbeResult, type SendResult, type Sink } from '../../contract/sink.ts';
import type { SplunkHecSinkConfig } from '../config.ts';
import type { SinkDeps } from '../deps.ts';
import { createAuthorization } from '../transport/authorization.ts';
import { endpointUrl } from '../transport/endpoint.ts';
import type { Answer } from '../transport/exchange.ts';
import { createSecretSource } from '../transport/secret.ts';
import { createSender, type Reply, type Sender } from '../transport/sender.ts';
import { describeAnswer, isSuccess } from '../transport/status.ts';
import { type Acks, createAcks } from './acks.ts';
import { CODE, hintFor, meaningOf } from './codes.ts';
import { eventsOf } from './events.ts';
import { hecReplyOf, resultOfReply } from './reply.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends rows as events to Splunk's HTTP event collector; docs/sinks/splunk-hec.md says what its answers mean. */
export function createSplunkHecSink(config: SplunkHecSinkConfig, deps: SinkDeps): Sink {
  return new SplunkHecSink(config, deps);
}

class SplunkHecSink implements Sink {
  readonly id: string;
  readonly #deps: SinkDeps;
  readonly #urls: HecUrls;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #sender: Sender;
  readonly #acks: Acks | undefined;

  constructor(config: SplunkHecSinkConfig, deps: SinkDeps) {
    const { id, tokenFile: file, tokenEnv: variable, index, sourcetype, indexedFields } = config;
    const token = createSecretSource({ name: 'token', file, variable, secret: deps.secret });
    // Acknowledgements are numbered within a channel, and a channel belongs to one sender.
    const channel = config.ack ? randomUUID() : undefined;
    this.id = id;
    this.#deps = deps;
    this.#urls = urlsOf(config.url, channel);
    this.#headers = { ...JSON_TYPE, ...(channel !== undefined && { 'x-splunk-request-channel': channel }) };
    this.#sender = createSender({
      config,
      deps,
      authorize: createAuthorization(token, { scheme: 'splunk' }),
      bodyOf: (batch) =>
        eventsOf(batch, { index, sourcetype, indexedFields, epoch: originOf(batch, deps.origin).epoch }),
    });
    if (channel === undefined) return;
    this.#acks = createAcks({
      clock: deps.clock,
      timeoutMs: config.ackTimeoutMs,
      ask: (ids, signal) => this.#askAcks(ids, signal),
    });
  }

  async send(batch: Batch, signal: AbortSignal): Promise<SendResult> {
    const unfit = await this.#acks?.check(signal);
    if (unfit) return unfit;
    const reply = await this.#sender.post(batch, { url: this.#urls.event, headers: this.#headers }, signal);
    if (reply.kind === 'none') return reply.result;
    const result = resultOfReply(reply.answer, {
      now: this.#deps.clock.now(),
      secrets: reply.secrets,
      rows: batch.rows,
      countsUnacknowledged: this.#acks === undefined,
    });
    const settled = result.kind === 'accepted' ? await this.#indexed(reply, signal) : result;
    if (settled.kind === 'accepted' || settled.kind === 'partial') this.#sender.forget(batch.id);
    return settled;
  }

  /** Health first, then a request without events: it is refused for having none only if the token is good. */
  async probe(signal: AbortSignal): Promise<ProbeResult> {
    const health = await this.#sender.ask(
      { method: 'GET', url: this.#urls.health, headers: this.#headers },
      signal,
    );
    const sick = problemOf(health, isHealthy);
    if (sick !== undefined) return { ok: false, reason: sick };
    const request = { url: this.#urls.event, headers: this.#headers, body: Buffer.alloc(0) };
    const refused = problemOf(await this.#sender.ask(request, signal), isTokenGood);
    if (refused !== undefined) return { ok: false, reason: refused };
    const unfit = await this.#acks?.check(signal);
    return unfit ? { ok: false, reason: unfit.reason } : { ok: true };
  }

  async close(): Promise<void> {
    this.#sender.close();
  }

  async #indexed({ answer, secrets }: Reply & { kind: 'answer' }, signal: AbortSignal): Promise<SendResult> {
    if (!this.#acks) return { kind: 'accepted' };
    const ackId = hecReplyOf(answer)?.ackId;
    if (ackId === undefined) {
      const reason = `the answer has no ackId to ask for (${describeAnswer(answer, secrets)})`;
      return { kind: 'retry', reason };
    }
    return (await this.#acks.wait(ackId, signal)) ?? { kind: 'accepted' };
  }

  #askAcks(ids: readonly number[], signal: AbortSignal): Promise<Reply> {
    const body = Buffer.from(JSON.stringify({ acks: ids }));
    return this.#sender.ask({ url: this.#urls.ack, headers: this.#headers, body }, signal);
  }
}

function problemOf(reply: Reply, isGood: (answer: Answer) => boolean): string | undefined {
  if (reply.kind === 'none') return reply.result.reason;
  if (isGood(reply.answer)) return undefined;
  const code = hecReplyOf(reply.answer)?.code;
  return (code === undefined ? '' : hintFor(code)) + describeAnswer(reply.answer, reply.secrets);
}

/** Collectors of others answer with other codes than Splunk's here, so only a bad one counts. */
function isHealthy(answer: Answer): boolean {
  const code = hecReplyOf(answer)?.code;
  if (code === undefined || !isSuccess(answer)) return false;
  return meaningOf(code) === undefined || meaningOf(code) === 'taken';
}

function isTokenGood(answer: Answer): boolean {
  const code = hecReplyOf(answer)?.code;
  return code === CODE.noData || (code !== undefined && isSuccess(answer) && meaningOf(code) === 'taken');
}

interface HecUrls {
  readonly event: URL;
  readonly health: URL;
  readonly ack: URL;
}

const COLLECTOR_PATH = '/services/collector';

/** The configured URL may be the address of the server, of the collector, or of its event endpoint. */
function urlsOf(base: string, channel: string | undefined): HecUrls {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/services\/collector\/?$/, '');
  const event = endpointUrl(url.href, `${COLLECTOR_PATH}/event`);
  const [health, ack] = ['health', 'ack'].map((name) => {
    const beside = new URL(event);
    beside.pathname = beside.pathname.replace(/event$/, name);
    return beside;
  }) as [URL, URL];
  if (channel !== undefined) {
    health.searchParams.set('ack', 'true');
    ack.searchParams.set('channel', channel);
  }
  return { event, health, ack };
}
