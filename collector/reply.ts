import type { ServerResponse } from 'node:http';

/** What a request is answered with. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request that is not served; the message goes to the sender. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export function jsonReply(value: unknown, status = 200): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(value)}\n` };
}

export function refusalReply(refusal: Refusal): Reply {
  const { headers, ...reply } = jsonReply({ error: refusal.message }, refusal.status);
  return { ...reply, headers: { ...headers, ...refusal.headers } };
}

export function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const length = Buffer.byteLength(body);
  response.writeHead(status, {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
    'content-length': length,
  });
  response.end(body);
}
