import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import path from 'node:path';
import { readJson, writeJson } from './json-file.mjs';
import { dataDir, root } from './paths.mjs';

// Below the range the kernel hands out to outgoing connections, so that a restart finds its port free again.
const LOWEST = 20_000;
const COUNT = 10_000;

/**
 * A port per name: the one used last time where it is still free, else the next free one. Where the search begins
 * depends on the checkout, so two checkouts rarely meet.
 * @template {string} Name
 * @param {Name[]} names
 * @returns {Promise<Record<Name, number>>}
 */
export async function choosePorts(names, file = path.join(dataDir, 'ports.json')) {
  const remembered = readJson(file) ?? {};
  const chosen = {};
  const taken = new Set();
  let offset = createHash('sha256').update(`${root} ${file}`).digest().readUInt32BE() % COUNT;
  for (const name of names) {
    let port = remembered[name];
    while (!port || taken.has(port) || !(await isPortFree(port))) {
      port = LOWEST + (offset++ % COUNT);
    }
    taken.add(port);
    chosen[name] = port;
  }
  writeJson(file, chosen);
  return chosen;
}

/** @param {number} port */
export function isPortFree(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const server = createServer();
    // No such address (a machine without IPv6) means nobody can be listening there.
    server.once('error', (error) => resolve(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
