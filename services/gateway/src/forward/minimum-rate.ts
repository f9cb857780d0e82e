import { pipeline, type Readable, Transform } from 'node:stream';

interface MinimumRate {
  readonly bytesPerSecond: number;
  /** Over how long it is measured: a reader may pause for a moment. */
  readonly windowMs: number;
}

/**
 * Passes a download on, and ends it when the reader takes less than it could and less than it must. A reader that waits for us
 * is not slow: only bytes that lie here unread are held against it.
 */
export function atMinimumRate(source: Readable, { bytesPerSecond, windowMs }: MinimumRate): Readable {
  let passed = 0;
  const passage = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      done(null, chunk);
    },
  });
  const least = (bytesPerSecond * windowMs) / 1000;
  const timer = setInterval(() => {
    const unread = passage.readableLength + passage.writableLength > 0;
    if (unread && passed < least) passage.destroy(new Error('the reader of a download is too slow'));
    passed = 0;
  }, windowMs);
  pipeline(source, passage, () => clearInterval(timer));
  return passage;
}
