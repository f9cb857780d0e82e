import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountingProxy {
  readonly url: string;
  /** Requests that came through so far whose path begins with this. */
  count(path: string): number;
  /** Those of them that are not over. */
  underWay(path: string): number;
  stop(): Promise<void>;
}

/** Stands before an HTTP server and counts what it is asked. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const seen: string[] = [];
  const open = new Set<{ readonly path: string }>();
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path = '', headers } = incoming;
    seen.push(path);
    const asked = { path };
    open.add(asked);
    outgoing.once('close', () => open.delete(asked));
    const onward = forward({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (path) => seen.filter((each) => each.startsWith(path)).length,
    underWay: (path) => [...open].filter((asked) => asked.path.startsWith(path)).length,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
