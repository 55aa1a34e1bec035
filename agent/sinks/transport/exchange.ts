import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../../contract/clock.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** The body was longer than is read; what follows was not looked at. */
  readonly cut: boolean;
}

/** One request, its answer or the error that took its place. Never rejects. */
export type Exchange =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | {
      readonly kind: 'error';
      readonly error: unknown;
      /** The connection stood before it failed. */
      readonly connected: boolean;
      /** It was a kept connection that failed before anything came back: most likely closed meanwhile. */
      readonly stale: boolean;
    };

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly connectTimeoutMs: number;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
}

/** Sends a request once. Bounded in time and memory whatever the other end does. */
export function exchange(
  request: RequestOptions,
  body: Buffer | undefined,
  options: ExchangeOptions,
): Promise<Exchange> {
  return new Promise((resolve) => {
    new OneExchange(options, resolve).start(request, body);
  });
}

class OneExchange {
  readonly #options: ExchangeOptions;
  readonly #resolve: (exchange: Exchange) => void;
  readonly #timers: { cancel(): void }[] = [];
  readonly #onAbort = () => this.#fail(new Error('stopped'));
  #request: ClientRequest | undefined;
  #connected = false;
  #answering = false;
  #ended = false;

  constructor(options: ExchangeOptions, resolve: (exchange: Exchange) => void) {
    this.#options = options;
    this.#resolve = resolve;
  }

  start(options: RequestOptions, body: Buffer | undefined): void {
    const { clock, signal, connectTimeoutMs, timeoutMs } = this.#options;
    if (signal.aborted) {
      this.#onAbort();
      return;
    }
    signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#timers.push(
      clock.after(connectTimeoutMs, () => {
        if (!this.#connected) this.#fail(new Error(`no connection within ${connectTimeoutMs / 1000} s`));
      }),
      clock.after(timeoutMs, () => this.#fail(new Error(`no complete answer within ${timeoutMs / 1000} s`))),
    );
    try {
      this.#send(options, body);
    } catch (error) {
      this.#fail(error);
    }
  }

  #send(options: RequestOptions, body: Buffer | undefined): void {
    const request = options.protocol === 'https:' ? httpsRequest(options) : httpRequest(options);
    this.#request = request;
    request.on('error', (error) => this.#fail(error));
    request.on('socket', (socket) => this.#watchConnect(socket));
    request.on('response', (answer) => this.#read(answer));
    request.on('upgrade', () => this.#fail(new Error('it answered with another protocol')));
    request.end(body);
  }

  #watchConnect(socket: Socket): void {
    const stands = () => {
      this.#connected = true;
    };
    const isSecuring = 'secureConnecting' in socket && socket.secureConnecting === true;
    if (isSecuring) socket.once('secureConnect', stands);
    else if (socket.connecting) socket.once('connect', stands);
    else stands();
  }

  #read(message: IncomingMessage): void {
    this.#answering = true;
    const chunks: Buffer[] = [];
    let bytes = 0;
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, this.#options.maxAnswerBytes - bytes));
      bytes += chunk.length;
      if (bytes > this.#options.maxAnswerBytes) this.#finish(message, chunks, true);
    });
    message.on('end', () => this.#finish(message, chunks, false));
    message.on('error', (error) => this.#fail(error));
  }

  #finish(message: IncomingMessage, chunks: readonly Buffer[], cut: boolean): void {
    const answer = {
      status: message.statusCode ?? 0,
      headers: message.headers,
      body: Buffer.concat(chunks),
      cut,
    };
    this.#end({ kind: 'answer', answer });
    // An answer that came before the whole request was sent leaves the connection in no state to be kept.
    if (cut || !this.#request?.writableFinished) this.#request?.destroy();
  }

  #fail(error: unknown): void {
    const stale = (this.#request?.reusedSocket ?? false) && !this.#answering;
    this.#end({ kind: 'error', error, connected: this.#connected, stale });
    this.#request?.destroy();
  }

  #end(exchange: Exchange): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const timer of this.#timers) timer.cancel();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#resolve(exchange);
  }
}
