import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from './app-error.js';
import { errorBody } from './error-body.js';
import { methodNotAllowed } from './errors.js';

const EXPECTATION = new AppError(
  417,
  'expectation_failed',
  'The only expectation that is understood is 100-continue.',
);

/** Answers that Node would give without a body: for an unknown expectation and for a tunnel. */
export function answerForNode(server: Server): void {
  server.on('checkExpectation', (_request, response) => {
    const body = JSON.stringify(errorBody(EXPECTATION));
    response.writeHead(EXPECTATION.status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
    });
    response.end(body);
  });
  server.on('connect', (_request, socket: Duplex) => {
    const body = JSON.stringify(errorBody(methodNotAllowed(['GET', 'POST'])));
    const head = [
      'HTTP/1.1 405 Method Not Allowed',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}
