import { request } from 'undici';
import { startHttpServer } from '../harness/start-http-server.js';

const PUBLIC_REGISTRY = 'https://registry.npmjs.org/';

/**
 * Serves one package of the public registry, or returns null when that cannot be reached. A test sets its newest version
 * back and so decides when a new one is published.
 */
export async function startPinnedRegistry(name: string) {
  const document = await ask(name).catch(() => null);
  if (document === null) return null;
  let pinned: string | undefined;
  const server = await startHttpServer(async (incoming, response) => {
    const path = (incoming.url ?? '').slice(1);
    if (path === name) {
      const parsed = JSON.parse(document.toString()) as { 'dist-tags': { latest: string } };
      if (pinned !== undefined) parsed['dist-tags'].latest = pinned;
      response.end(JSON.stringify(parsed));
    } else {
      const bytes = path.startsWith(`${name}/-/`) ? await ask(path).catch(() => null) : null;
      response.writeHead(bytes ? 200 : 404).end(bytes);
    }
  });
  return {
    url: `${server.url}/`,
    stop: server.stop,
    /** Names the newest version from now on; undefined names the real one. */
    pin(version: string | undefined) {
      pinned = version;
    },
  };
}

async function ask(path: string): Promise<Buffer> {
  const answer = await request(PUBLIC_REGISTRY + path, { signal: AbortSignal.timeout(20_000) });
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
  return Buffer.from(await answer.body.arrayBuffer());
}
