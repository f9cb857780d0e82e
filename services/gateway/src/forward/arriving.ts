import { type Readable, Transform } from 'node:stream';
import type { LeastRate } from '@verdict/service-kit/least-rate.js';

/** How long a sender whose file nobody reads any more may go on, so that it gets to read why. */
const FAREWELL_MS = 30_000;
const TICK_MS = 1_000;

/**
 * Passes an upload on, and ends it when its sender is slower than `rate` allows although we would take more. When nobody
 * reads it any more the rest is thrown away: a sender whose connection is cut would not see the answer.
 */
export function arrivingAtLeastRate(source: Readable, rate: () => LeastRate, tickMs = TICK_MS): Readable {
  let passed = 0;
  let elapsedMs = 0;
  const passage = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      done(null, chunk);
    },
  });
  const timer = setInterval(() => {
    elapsedMs += tickMs;
    const { bytesPerSecond, windowMs } = rate();
    if (elapsedMs < windowMs) return;
    const waitsForUs = passage.readableLength + passage.writableLength > 0;
    if (passed < (bytesPerSecond * elapsedMs) / 1000 && !waitsForUs && !source.readableEnded)
      passage.destroy(new Error('the sender of an upload is too slow'));
    passed = 0;
    elapsedMs = 0;
  }, tickMs);
  for (const end of ['finish', 'close']) passage.once(end, () => clearInterval(timer));

  source.once('error', (error) => passage.destroy(error));
  source.once('close', () => {
    if (!source.readableEnded) passage.destroy(new Error('the sender of an upload has gone'));
  });
  passage.once('close', () => {
    if (source.readableEnded || source.destroyed) return;
    source.unpipe(passage);
    source.resume();
    const farewell = setTimeout(() => source.destroy(), FAREWELL_MS);
    source.once('close', () => clearTimeout(farewell));
    source.once('end', () => clearTimeout(farewell));
  });
  passage.on('error', () => undefined); // whoever reads it is told
  return source.pipe(passage);
}
