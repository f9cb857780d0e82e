import { createHash, randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { readJson, writeJson } from './json-file.js';

// Both ranges lie below the one that outgoing connections draw from: a server that is restarted finds its port free again.
const TESTS = { lowest: 10_000, count: 10_000 };
const REMEMBERED = { lowest: 20_000, count: 10_000 };

/**
 * How many rooms of test files run side by side: two more than there are cores, since some always wait; of
 * more than five the memory of so many browsers and stacks would be felt first. Each draws its ports from a range of its
 * own (tap numbers them), so that none takes what another is about to use.
 */
export const SIDES = Math.min(availableParallelism() + 2, 5);
const side = Number(process.env.TAP_JOB_ID ?? randomInt(SIDES)) % SIDES;

/** What was given out is not given again, even while nobody listens on it yet. */
const given = new Set<number>();

/** A port on loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = TESTS.lowest + randomInt(Math.floor(TESTS.count / SIDES)) * SIDES + side;
    if (given.has(port)) continue;
    given.add(port);
    if (await isPortFree(port)) return port;
  }
}

/**
 * A port per name: the one that the file remembers where it is still free, else the next free one. Where the search
 * begins depends on the file, so two checkouts rarely meet.
 */
export async function choosePorts<Name extends string>(
  names: readonly Name[],
  file: string,
): Promise<Record<Name, number>> {
  const remembered = readJson<Record<string, number>>(file) ?? {};
  const chosen: [Name, number][] = [];
  let offset = createHash('sha256').update(file).digest().readUInt32BE() % REMEMBERED.count;
  for (const name of names) {
    let port = remembered[name];
    while (!port || chosen.some(([, taken]) => taken === port) || !(await isPortFree(port)))
      port = REMEMBERED.lowest + (offset++ % REMEMBERED.count);
    chosen.push([name, port]);
  }
  const ports = Object.fromEntries(chosen) as Record<Name, number>;
  writeJson(file, ports);
  return ports;
}

export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // No such address (a machine without IPv6) means nobody can be listening there.
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
