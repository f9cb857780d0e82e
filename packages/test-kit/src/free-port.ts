import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the range that outgoing connections draw from: a server that is restarted finds its port free again.
const LOWEST = 10_000;
const COUNT = 10_000;

/** A port on loopback that nobody listens on. Random, because test files run side by side. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + randomInt(COUNT);
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
