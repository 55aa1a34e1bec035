import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { HoldfastError, messageOf } from '../contract/errors.ts';
import type { Logger } from '../contract/logger.ts';
import { type ControlHandlers, controlRoutes, sendError, sendJson } from './control-routes.ts';
import { bindControlSocket } from './control-socket.ts';

export interface ControlServerOptions {
  /** Unix socket, or named pipe on Windows. Its folder is made when missing. */
  readonly path: string;
  readonly handlers: ControlHandlers;
  readonly logger: Logger;
}

/** Lets local commands ask and steer the running agent. Whoever may open the socket may do everything here. */
export interface ControlServer {
  /** Throws an EnvironmentError when another process answers there, or when the place is not private. */
  start(): Promise<void>;
  /** Ends streams, and removes the socket. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 32;

export function createControlServer({ path, handlers, logger }: ControlServerOptions): ControlServer {
  const routes = controlRoutes(handlers);
  const server = createServer({ keepAlive: false }, (request, response) => void answer(request, response));
  server.maxConnections = MAX_CONNECTIONS;

  return {
    async start() {
      await bindControlSocket(server, path);
      // Too many open files, for one: no reason to end the agent.
      server.on('error', (error) => {
        logger.warn('the control socket has trouble', { event: 'control.trouble', reason: messageOf(error) });
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    response.on('error', () => undefined);
    try {
      await route(request, response);
    } catch (error) {
      if (!(error instanceof HoldfastError)) {
        logger.error('a control request failed', { event: 'control.failed', reason: messageOf(error) });
      }
      if (response.headersSent) response.destroy();
      else sendError(response, error);
    }
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control');
    const found = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
    if (!found)
      return sendJson(response, 404, { error: { code: 'NOT_FOUND', message: `there is no ${pathname}` } });
    if (request.method !== found.method) {
      response.setHeader('allow', found.method);
      return sendJson(response, 405, {
        error: { code: 'METHOD', message: `${pathname} wants ${found.method}` },
      });
    }
    await found.handle({ query: searchParams, response });
  }
}
