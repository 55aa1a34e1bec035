import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';

/** What arrived in one request. */
export interface Arrival {
  readonly ndjson: Buffer;
  /** Bytes that the request took on the connection, its head included. */
  readonly wireBytes: number;
}

export interface Receiver {
  readonly url: string;
  close(): Promise<void>;
}

/** A collector that keeps nothing: takes every batch as the wire contract says and acknowledges all of it. */
export async function startReceiver(onArrival: (arrival: Arrival) => void): Promise<Receiver> {
  const read = new WeakMap<object, number>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { socket } = request;
    const wireBytes = socket.bytesRead - (read.get(socket) ?? 0);
    read.set(socket, socket.bytesRead);
    onArrival({ ndjson: decode(request, body), wireBytes });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(acknowledge(request)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function decode({ headers }: IncomingMessage, body: Buffer): Buffer {
  switch (headers['content-encoding']) {
    case 'gzip':
      return gunzipSync(body);
    case 'zstd':
      return zstdDecompressSync(body);
    default:
      return body;
  }
}

function acknowledge({ headers }: IncomingMessage) {
  const rows = Number(headers['x-holdfast-rows'] ?? 0);
  return { batch: headers['x-holdfast-batch'], accepted: rows, duplicates: 0, rejected: [] };
}
