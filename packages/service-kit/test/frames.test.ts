import t from 'tap';
import { createFrameReader } from '../src/frame-reader.js';
import { toFrame } from '../src/to-frame.js';

/** The frames that a reader with this limit finds in the chunks. */
function framesIn(chunks: readonly Buffer[], bytesMax = 100): [number, string][] {
  const found: [number, string][] = [];
  const read = createFrameReader(bytesMax, (number, text) => void found.push([number, text]));
  for (const chunk of chunks) read(chunk);
  return found;
}

const FRAMES: [number, string][] = [
  [1, 'zwölf'],
  [2 ** 32 - 1, ''],
  [7, '{"emails":["jürgen@gmail.com"]}'],
];
const bytes = Buffer.concat(FRAMES.map(([number, text]) => toFrame(number, text)));

t.test('frames are the same however the network cuts them', async (t) => {
  for (let size = 1; size <= bytes.length; size++) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    t.strictSame(framesIn(chunks), FRAMES, `chunks of ${size} bytes`);
  }
});

t.test('a frame above the limit is refused by its head, before any of it is gathered', async (t) => {
  t.throws(() => framesIn([toFrame(1, 'x'.repeat(101)).subarray(0, 8)]), /101 bytes/);
  t.strictSame(framesIn([toFrame(1, 'x'.repeat(100))]), [[1, 'x'.repeat(100)]]);
});
