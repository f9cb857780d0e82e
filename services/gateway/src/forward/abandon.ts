import type { Readable } from 'node:stream';

/** Ends an answer that nobody will read, which is no failure of anybody's. */
export const abandon = (body: Readable): Readable => body.on('error', () => undefined).destroy();
