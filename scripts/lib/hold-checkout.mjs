import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { relative } from 'node:path';
import { Failure } from './failure.mjs';
import { inData } from './paths.mjs';

/** Lets one `npm start` at a time use `.data`, until this process ends: the kernel closes a listening socket even after a `kill -9`. */
export async function holdCheckout() {
  const path = relative('', inData('start.sock')); // a socket's path has to be short
  const holder = connect(path);
  const isHeld = await once(holder, 'connect').catch(() => false);
  holder.destroy();
  if (isHeld) throw new Failure('Verdict is already running from this checkout; stop it first.');
  rmSync(path, { force: true });
  await once(createServer().listen(path).unref(), 'listening');
}
