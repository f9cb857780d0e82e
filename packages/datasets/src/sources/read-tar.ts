import { gunzipSync } from 'node:zlib';

const BLOCK = 512;

/**
 * One file out of a gzipped tar, as npm packs them: everything below one folder whose name does not matter. Unpacked in
 * memory with a limit, so that a small file cannot become a huge one.
 */
export function readTarFile(archive: Buffer, path: string, bytesMax: number): Buffer {
  const tar = gunzipSync(archive, { maxOutputLength: bytesMax });
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const size = Number.parseInt(text(header, 124, 12), 8);
    if (!Number.isSafeInteger(size) || at + BLOCK + size > tar.length)
      throw new Error('the package is cut off');
    const prefix = text(header, 345, 155);
    const name = prefix === '' ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`;
    if (name.slice(name.indexOf('/') + 1) === path)
      return Buffer.from(tar.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error(`the package holds no ${path}`);
}

function text(header: Buffer, from: number, length: number): string {
  const end = header.indexOf(0, from);
  return header.toString('utf8', from, end === -1 ? from + length : Math.min(end, from + length)).trim();
}
