import { createServer, request as forward, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HoldingProxy {
  readonly url: string;
  /** Keeps back the next answer to this path; resolves when the server has given it. */
  hold(path: string): Promise<void>;
  /** Lets what was kept back go. */
  release(): void;
  stop(): Promise<void>;
}

/** Stands before a server and lets an answer be on its way for as long as a test wants. */
export async function startHoldingProxy(target: string): Promise<HoldingProxy> {
  let held: { readonly path: string; readonly given: () => void; readonly released: Promise<void> } | null =
    null;
  let letGo = () => {};
  const server = createServer((request, response) => {
    const onward = forward(`${target}${request.url}`, { method: request.method, headers: request.headers });
    onward.once('error', () => response.destroy());
    onward.once('response', async (answer: IncomingMessage) => {
      if (held?.path === request.url) {
        const { given, released } = held;
        held = null;
        given();
        await released;
      }
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (path) =>
      new Promise((given) => {
        const released = new Promise<void>((resolve) => {
          letGo = resolve;
        });
        held = { path, given, released };
      }),
    release: () => letGo(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
