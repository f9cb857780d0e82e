import { createHash, randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { inData } from './paths.js';

// Both ranges are below the one for outgoing connections, so a server that restarts finds its port free again. fetch
// refuses 10080.
const TESTS = { lowest: 10_100, count: 9_900 };
const PER_CHECKOUT = { lowest: 20_000, count: 10_000 };

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

/** Returns a free port per name, the same at every start unless another program has taken one. */
export async function choosePorts<Name extends string>(
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const chosen = {} as Record<Name, number>;
  // Two checkouts rarely begin at the same port.
  let offset = createHash('sha256').update(inData()).digest().readUInt32BE();
  for (const name of names) {
    do chosen[name] = PER_CHECKOUT.lowest + (offset++ % PER_CHECKOUT.count);
    while (!(await isPortFree(chosen[name])));
  }
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
