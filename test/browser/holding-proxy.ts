import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HoldingProxy {
  readonly url: string;
  /** Keeps back the next answer to this path, all of it or all but its beginning; resolves when the server has given it. */
  hold(path: string, what: 'all' | 'rest'): Promise<void>;
  /** Lets what was kept back go. */
  release(): void;
  stop(): Promise<void>;
}

interface Hold {
  readonly path: string;
  readonly what: 'all' | 'rest';
  given(): void;
  readonly released: Promise<void>;
}

/** Stands before a server and lets an answer be on its way for as long as a test wants. */
export async function startHoldingProxy(target: string): Promise<HoldingProxy> {
  const holds: Hold[] = [];
  let letGo = () => {};
  const server = createServer((request, response) => {
    // As text, so that a beginning of it can be read.
    const headers = { ...request.headers, 'accept-encoding': 'identity' };
    const onward = forward(`${target}${request.url}`, { method: request.method, headers });
    onward.once('error', () => response.destroy());
    onward.once('response', (answer) => {
      // A token that ran out is answered 401, and the page asks again.
      const at = answer.statusCode === 200 ? holds.findIndex(({ path }) => path === request.url) : -1;
      const [hold] = at < 0 ? [] : holds.splice(at, 1);
      void (hold ? passHeld(answer, response, hold) : pass(answer, response));
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (path, what) =>
      new Promise((given) => {
        const released = new Promise<void>((resolve) => {
          letGo = resolve;
        });
        holds.push({ path, what, given, released });
      }),
    release: () => letGo(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pass(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(response);
}

async function passHeld(
  answer: IncomingMessage,
  response: ServerResponse,
  { what, given, released }: Hold,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const beginning = what === 'all' ? 0 : Math.ceil(body.length / 2);
  const begin = () => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.write(body.subarray(0, beginning));
  };
  if (what === 'rest') begin();
  given();
  await released;
  if (what === 'all') begin();
  response.end(body.subarray(beginning));
}
