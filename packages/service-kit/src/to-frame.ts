/** The length of the text in bytes and a number, both UInt32LE. */
export const FRAME_HEAD_BYTES = 8;

/** A text with its length and number in front, so that many share one connection. */
export function toFrame(number: number, text: string): Buffer {
  const size = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + size);
  frame.writeUInt32LE(size, 0);
  frame.writeUInt32LE(number, 4);
  frame.write(text, FRAME_HEAD_BYTES);
  return frame;
}
