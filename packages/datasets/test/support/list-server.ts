import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface ListServer {
  readonly url: string;
  readonly requests: IncomingMessage[];
  /** The answer of a path from now on: a text with an ETag, or anything else. */
  serve(path: string, answer: string | Buffer | Answer): void;
  close(): Promise<void>;
}

/** A server of lists on loopback. */
export async function startListServer(): Promise<ListServer> {
  const answers = new Map<string, Answer>();
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers.get(request.url ?? '');
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    serve(path, answer) {
      answers.set(path, typeof answer === 'function' ? answer : conditional(answer));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

let served = 0;

function conditional(body: string | Buffer): Answer {
  const etag = `"${++served}"`;
  return (request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag }).end(body);
  };
}
