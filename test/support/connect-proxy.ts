import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onCleanUp } from './temp.ts';

/**
 * - open: lets everyone through. - auth: wants `user:password`. - deny: answers 403.
 * - silent: accepts and never answers. - deaf: opens the tunnel to nowhere. - drop: closes at once.
 */
export type ProxyMode = 'open' | 'auth' | 'deny' | 'silent' | 'deaf' | 'drop';

export interface ConnectProxy {
  readonly url: string;
  /** Request lines and credentials as they came. */
  readonly seen: readonly { readonly line: string; readonly authorization: string | undefined }[];
  /** Connections that stand now. */
  connections(): number;
  setMode(mode: ProxyMode): void;
  close(): Promise<void>;
}

export const PROXY_CREDENTIAL = 'user:p@ss:word';

/** A proxy on loopback that tunnels by CONNECT and forwards plain requests. */
export async function startConnectProxy(
  first: ProxyMode = 'open',
  tls?: ServerOptions,
): Promise<ConnectProxy> {
  let mode = first;
  const seen: { line: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const note = (message: IncomingMessage) => {
    const { method, url, headers } = message;
    seen.push({ line: `${method} ${url}`, authorization: headers['proxy-authorization'] });
  };
  const isAllowed = ({ headers }: IncomingMessage) =>
    headers['proxy-authorization'] === `Basic ${Buffer.from(PROXY_CREDENTIAL).toString('base64')}`;

  const forward: RequestListener = (message, response) => {
    note(message);
    if (mode === 'auth' && !isAllowed(message)) return void response.writeHead(407).end();
    const { method, headers } = message;
    const onward = request(message.url ?? '', { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    message.pipe(onward);
  };
  const server = tls ? createTlsServer(tls, forward) : createServer(forward);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (message, socket) => {
    note(message);
    socket.on('error', () => {});
    // Sockets of an HTTP server stay half open until this side ends too.
    socket.on('end', () => socket.end());
    socket.resume();
    if (mode === 'silent') return;
    if (mode === 'drop') return void socket.destroy();
    if (mode === 'deny') return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    if (mode === 'auth' && !isAllowed(message)) {
      return void socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n',
      );
    }
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (mode === 'deaf') return;
    const [host = '', port = ''] = (message.url ?? '').split(/:(?=\d+$)/);
    const onward = connect(Number(port), host);
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    onward.pipe(socket).pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  onCleanUp(close);
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    seen,
    connections: () => sockets.size,
    setMode(next) {
      mode = next;
    },
    close,
  };
}
