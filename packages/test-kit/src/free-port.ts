import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the range that outgoing connections draw from: a server that is restarted finds its port free again.
const LOWEST = 10_000;
const COUNT = 10_000;

/** Test files that run side by side draw from different halves (tap numbers them), so that neither takes what the other is about to use. */
const SIDES = 2;
const side = Number(process.env.TAP_JOB_ID ?? randomInt(SIDES)) % SIDES;

/** What was given out is not given again, even while nobody listens on it yet. */
const given = new Set<number>();

/** A port on loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + randomInt(COUNT / SIDES) * SIDES + side;
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
