import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { onCleanUp } from './temp.ts';

/**
 * One answer of a script. A body that is an object is sent as JSON, in which "$0", "$1", ... stand for the
 * row ids of the request; the body "$success" stands for the answer that acknowledges the request.
 */
export interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An answer that no script can express: silence, a reset, an endless body. */
export type Behaviour = (response: ServerResponse, request: ReceivedRequest) => void;

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly raw: Buffer;
  /** Without its content encoding. */
  readonly body: Buffer;
  readonly rowIds: readonly string[];
}

export interface ScriptedServerOptions {
  /** The answer that acknowledges a request; used for "$success" and once the script is at its end. */
  readonly success?: (request: ReceivedRequest) => ScriptedAnswer;
  readonly tls?: ServerOptions;
}

export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** Answers the requests it gets, one after the other, as the script says. */
export async function startScriptedServer(
  script: readonly (ScriptedAnswer | Behaviour)[],
  options: ScriptedServerOptions = {},
): Promise<ScriptedServer> {
  const { success = collectorAck, tls } = options;
  const requests: ReceivedRequest[] = [];
  const listener = async (message: IncomingMessage, response: ServerResponse) => {
    const request = await receive(message);
    if (!request) return;
    const step = script[requests.push(request) - 1] ?? success(request);
    if (typeof step === 'function') step(response, request);
    else send(response, step.body === '$success' ? success(request) : step, request);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onCleanUp(close);
  return { url: `${tls ? 'https' : 'http'}://localhost:${port}`, port, requests, close };
}

/** The acknowledgement of docs/collector-protocol.md, with every row accepted. */
export function collectorAck(request: ReceivedRequest): ScriptedAnswer {
  const batch = request.headers['x-holdfast-batch'];
  const body = { batch, accepted: request.rowIds.length, duplicates: 0, rejected: [] };
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

async function receive(message: IncomingMessage): Promise<ReceivedRequest | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of message) chunks.push(chunk);
  } catch {
    return undefined;
  }
  const raw = Buffer.concat(chunks);
  const body = decode(raw, message.headers['content-encoding']);
  return {
    method: message.method ?? '',
    path: message.url ?? '',
    headers: message.headers,
    raw,
    body,
    rowIds: rowIdsOf(body),
  };
}

function decode(raw: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(raw);
  return encoding === 'zstd' ? zstdDecompressSync(raw) : raw;
}

/** Other wire forms wrap rows in objects of their own; what has no row id counts for nothing. */
function rowIdsOf(body: Buffer): string[] {
  return Array.from(
    body.toString().matchAll(/"(?:row_id|_id)":"(hf1_[0-9a-f]{32})"/g),
    ([, id]) => id ?? '',
  ).filter((id, index, ids) => ids.indexOf(id) === index);
}

function send(response: ServerResponse, answer: ScriptedAnswer, request: ReceivedRequest): void {
  const { status, headers = {}, body = '' } = answer;
  const text =
    typeof body === 'string'
      ? body
      : JSON.stringify(body).replace(/"\$(\d+)"/g, (_, row) =>
          JSON.stringify(request.rowIds[Number(row)] ?? ''),
        );
  response.writeHead(status, headers);
  response.end(text);
}
