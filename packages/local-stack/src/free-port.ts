import { createHash, randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { readJson, writeJson } from './json-file.js';

// Both ranges are below the one for outgoing connections, so a server that restarts finds its port free again. fetch
// refuses 10080.
const TESTS = { lowest: 10_100, count: 9_900 };
const REMEMBERED = { lowest: 20_000, count: 10_000 };

/**
 * Claims a port on loopback by binding it for UDP. The kernel gives each UDP port to one process and takes it back when
 * that process ends, so files that run side by side never share a port, and TCP stays free for the server.
 */
export async function claimPort(): Promise<Socket> {
  for (;;) {
    const claim = createSocket('udp4').bind(TESTS.lowest + randomInt(TESTS.count), '127.0.0.1');
    const isClaimed = await once(claim, 'listening').catch(() => false);
    if (isClaimed && (await isPortFree(claim.address().port))) return claim;
    claim.close();
  }
}

/** Returns a port that is ours until this process ends, so a server can be restarted on it. */
export const freePort = async (): Promise<number> => (await claimPort()).unref().address().port;

/**
 * Returns a port per name: the one in the file if it is still free, else the next free one. The search starts at a place
 * that depends on the file, so two checkouts rarely meet.
 */
export async function choosePorts<Name extends string>(
  names: readonly Name[],
  file: string,
): Promise<Record<Name, number>> {
  const remembered = readJson<Record<string, number>>(file) ?? {};
  const chosen = {} as Record<Name, number>;
  let offset = createHash('sha256').update(file).digest().readUInt32BE() % REMEMBERED.count;
  for (const name of names) {
    let port = remembered[name];
    while (!port || Object.values(chosen).includes(port) || !(await isPortFree(port)))
      port = REMEMBERED.lowest + (offset++ % REMEMBERED.count);
    chosen[name] = port;
  }
  writeJson(file, chosen);
  return chosen;
}

export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // A machine without IPv6 has no such address, so no server can listen there.
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
