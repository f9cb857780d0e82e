import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { relative } from 'node:path';
import { Failure } from '../../../scripts/lib/failure.mjs';
import { inData } from './paths.js';

/**
 * Lets one `npm start` at a time use `.data`: the kernel closes a listening socket even after a `kill -9`. Returns how to
 * let go.
 */
export async function holdCheckout(): Promise<() => void> {
  const path = relative('', inData('start.sock')); // a socket's path has to be short
  const holder = connect(path);
  const isHeld = await once(holder, 'connect').catch(() => false);
  holder.destroy();
  if (isHeld) throw new Failure('Verdict is already running from this checkout; stop it first.');
  rmSync(path, { force: true });
  const server = createServer().listen(path);
  await once(server, 'listening');
  return () => void server.close();
}
