import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

export interface PinnedRegistry {
  readonly url: string;
  /** The version that is called the newest from now on; without one, the newest. */
  pin(version: string | undefined): void;
  close(): Promise<void>;
}

const PUBLIC_REGISTRY = 'https://registry.npmjs.org/';

/**
 * The public registry with one package in it, whose newest version can be set back: a new version is published at the
 * moment the test wants it. Null when the public registry cannot be reached.
 */
export async function startPinnedRegistry(name: string): Promise<PinnedRegistry | null> {
  const document = await ask(name).catch(() => null);
  if (document === null) return null;
  let pinned: string | undefined;
  const server = createServer((incoming, response) => {
    const path = (incoming.url ?? '').slice(1);
    if (path === name) {
      const parsed = JSON.parse(document.toString()) as { 'dist-tags': { latest: string } };
      if (pinned !== undefined) parsed['dist-tags'].latest = pinned;
      response.end(JSON.stringify(parsed));
    } else if (path.startsWith(`${name}/-/`)) {
      ask(path).then(
        (bytes) => response.end(bytes),
        () => response.writeHead(502).end(),
      );
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    pin(version) {
      pinned = version;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function ask(path: string): Promise<Buffer> {
  const answer = await request(PUBLIC_REGISTRY + path, { signal: AbortSignal.timeout(20_000) });
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
  return Buffer.from(await answer.body.arrayBuffer());
}
