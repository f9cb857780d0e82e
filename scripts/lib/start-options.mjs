import { networkInterfaces } from 'node:os';
import { parseArgs } from 'node:util';

export const USAGE = `npm start -- [options]
  --port N   the public port (default 8080)
  --host A   the address to listen at (default 127.0.0.1: this machine only; 0.0.0.0: every network it is in)
  --fresh    delete all data and start fresh
  --help     this text
DATABASE_URL and REDIS_URL name your own servers.`;

/** Every network that this machine is in. */
export const ANY = ['0.0.0.0', '::'];

/** @param {string} host */
export const isLoopback = (host) => /^127\.|^::1$/.test(host);

const OPTIONS = /** @type {const} */ ({
  port: { type: 'string', default: '8080' },
  host: { type: 'string', default: '127.0.0.1' },
  fresh: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
});

/** @param {string[]} argv @returns {{ port: number, host: string, fresh: boolean, help: boolean }} */
export function parseStartOptions(argv) {
  let values;
  try {
    ({ values } = parseArgs({ args: argv, options: OPTIONS }));
  } catch (error) {
    throw new Error(`${error.message.split('. ')[0]}.\n${USAGE}`);
  }
  const { host, fresh, help } = values;
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new Error(`--port must be a number from 1 to 65535, not "${values.port}".`);
  }
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all.map(({ address }) => address));
  if (![...addresses, ...ANY].includes(host) && !isLoopback(host)) {
    throw new Error(`--host ${host} is not an address of this machine; it has ${addresses.join(', ')}.`);
  }
  const own = ['DATABASE_URL', 'REDIS_URL']
    .filter((name) => process.env[name])
    // As db.example.com:5432/verdict: the password is before the @ or in a parameter.
    .map((name) => `${name} (${process.env[name].replace(/^.*@|\?.*$/g, '')})`);
  if (fresh && own.length > 0) {
    // Ours to create, not to empty: the demo account of an earlier start would keep an unknown password.
    throw new Error(
      `--fresh deletes data of our own servers only; ${own.join(' and ')} is yours. Empty it yourself, or leave out --fresh.`,
    );
  }
  return { port, host, fresh, help };
}
