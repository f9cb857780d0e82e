import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { FRAMES_PATH, FRAMES_PROTOCOL } from '@verdict/contracts/scoring-frames.js';
import type { FastifyInstance } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { createFrameConnection, type FrameConnection } from './frame-connection.js';

const KEEP_ALIVE_MS = 30_000;

/** Upgrades connections of gateways to frames, on the port of the routes. They leave when the app closes. */
export function serveFrames(app: FastifyInstance, deps: Dependencies): void {
  const connections = new Set<FrameConnection>();
  let isLeaving = false;

  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (request.url !== FRAMES_PATH || request.headers.upgrade !== FRAMES_PROTOCOL)
      return void socket.end(emptyAnswer('404 Not Found'));
    if (isLeaving) return void socket.end(emptyAnswer('503 Service Unavailable'));
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ${FRAMES_PROTOCOL}\r\n\r\n`,
    );
    if (head.length > 0) socket.unshift(head);
    const connection = createFrameConnection(socket, deps);
    connections.add(connection);
    deps.metrics.connections.inc();
    socket.on('close', () => {
      connections.delete(connection);
      deps.metrics.connections.dec();
    });
  });

  app.addHook('preClose', (done) => {
    isLeaving = true;
    for (const connection of connections) connection.leave();
    done();
  });
}

const emptyAnswer = (status: string): string =>
  `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
