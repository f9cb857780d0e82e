import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { unreadableFile } from './job-errors.js';

/** Unpacks a gzipped file as it arrives. Its reader counts the bytes, so a bomb ends where a plain file would. */
export async function* unpackFile(packed: Readable): AsyncGenerator<Uint8Array> {
  const unpacked = packed.pipe(createGunzip());
  packed.once('close', () => {
    if (!packed.readableEnded) unpacked.destroy(new Error('the sender of an upload has gone'));
  });
  try {
    yield* unpacked as AsyncIterable<Uint8Array>;
  } catch (error) {
    const isBroken = (error as NodeJS.ErrnoException).code?.startsWith('Z_');
    throw isBroken ? unreadableFile('it is not valid gzip', error) : error;
  } finally {
    // The rest is thrown away, or the next request on this connection would wait behind it.
    packed.unpipe(unpacked).resume();
  }
}
