import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** The maximum of concurrent messages. */
  atOnceMax(): number;
  close(): Promise<void>;
}

/** A customer's server on this machine; by default it says 200 to everything. */
export async function startReceiver(
  answer: (response: ServerResponse, received: Received) => void = (response) => response.end('thanks'),
): Promise<Receiver> {
  const received: Received[] = [];
  let atOnce = 0;
  let atOnceMax = 0;
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    atOnceMax = Math.max(atOnceMax, ++atOnce);
    response.on('close', () => atOnce--);
    const one = { path: request.url ?? '', headers: request.headers, body: await text(request) };
    received.push(one);
    answer(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    atOnceMax: () => atOnceMax,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
