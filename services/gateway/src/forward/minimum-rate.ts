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
export function atMinimumRate(source: Readable, rate: MinimumRate): Readable {
  const passage = watchedPassage(rate, (unread) => {
    if (unread) passage.destroy(new Error('the reader of a download is too slow'));
  });
  pipeline(source, passage, () => undefined); // whoever reads it is told
  return passage;
}

/** How long a sender whose file nobody reads any more may go on, so that it gets to read why. */
const FAREWELL_MS = 30_000;

/**
 * Passes an upload on, and ends it when its sender takes longer than it may although we would take more. When nobody reads
 * it any more, because the answer is there already, the rest is taken and thrown away: a sender whose connection is cut
 * would not see the answer.
 */
export function arrivingAtMinimumRate(source: Readable, rate: MinimumRate): Readable {
  const passage = watchedPassage(rate, (unread) => {
    if (!unread && !source.readableEnded) passage.destroy(new Error('the sender of an upload is too slow'));
  });
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

/** Lets everything pass. Tells after each window in which that was less than it must, with whether something lies unread. */
function watchedPassage(
  { bytesPerSecond, windowMs }: MinimumRate,
  onSlow: (unread: boolean) => void,
): Transform {
  const least = (bytesPerSecond * windowMs) / 1000;
  let passed = 0;
  const passage = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      done(null, chunk);
    },
  });
  const timer = setInterval(() => {
    if (passed < least) onSlow(passage.readableLength + passage.writableLength > 0);
    passed = 0;
  }, windowMs);
  for (const end of ['finish', 'close']) passage.once(end, () => clearInterval(timer));
  return passage;
}
