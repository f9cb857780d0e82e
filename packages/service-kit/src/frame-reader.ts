import { FRAME_HEAD_BYTES } from './to-frame.js';

/** Cuts a stream of bytes into frames. Throws at a frame that announces more than `bytesMax`, before it is gathered. */
export function createFrameReader(
  bytesMax: number,
  onFrame: (number: number, text: string) => void,
): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let wantedBytes = FRAME_HEAD_BYTES;

  return (chunk) => {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes < wantedBytes) return;
    let data = held.length === 1 ? chunk : Buffer.concat(held, heldBytes);
    while (data.length >= FRAME_HEAD_BYTES) {
      const size = data.readUInt32LE(0);
      if (size > bytesMax) throw new Error(`a frame of ${size} bytes is above the limit of ${bytesMax}`);
      wantedBytes = FRAME_HEAD_BYTES + size;
      if (data.length < wantedBytes) break;
      onFrame(data.readUInt32LE(4), data.toString('utf8', FRAME_HEAD_BYTES, wantedBytes));
      data = data.subarray(wantedBytes);
      wantedBytes = FRAME_HEAD_BYTES;
    }
    held = data.length === 0 ? [] : [data];
    heldBytes = data.length;
  };
}
