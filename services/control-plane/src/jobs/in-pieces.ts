import { setImmediate } from 'node:timers/promises';

/** A few milliseconds of parsing, even where every row is short. */
const PIECE_BYTES = 4 * 1024;

/** Cuts the parts of a file into pieces and lets other requests run before each, because a whole part would block them. */
export async function* inPieces(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      await setImmediate();
      yield part.subarray(at, at + PIECE_BYTES);
    }
  }
}
