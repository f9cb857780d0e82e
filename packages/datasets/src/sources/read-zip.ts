import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const END_BYTES = 22;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/** One file out of a zip archive, unpacked in memory with a limit, so that a small file cannot become a huge one. */
export function readZipFile(archive: Buffer, path: string, bytesMax: number): Buffer {
  const end = archive.lastIndexOf(signature(END));
  if (end === -1 || end + END_BYTES > archive.length)
    throw new Error('it is not a zip archive, or is cut off');
  const entries = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let entry = 0; entry < entries; entry++) {
    if (at + ENTRY_BYTES > end || archive.readUInt32LE(at) !== ENTRY) break;
    const nameBytes = archive.readUInt16LE(at + 28);
    if (archive.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes) === path)
      return unpack(archive, at, bytesMax);
    at += ENTRY_BYTES + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new Error(`the archive holds no ${path}`);
}

function unpack(archive: Buffer, entry: number, bytesMax: number): Buffer {
  const method = archive.readUInt16LE(entry + 10);
  const size = archive.readUInt32LE(entry + 20);
  const local = archive.readUInt32LE(entry + 42);
  if (local + LOCAL_BYTES > archive.length) throw new Error('the archive is cut off');
  const start = local + LOCAL_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(start, start + size);
  if (packed.length !== size) throw new Error('the archive is cut off');
  if (method === DEFLATED) return inflateRawSync(packed, { maxOutputLength: bytesMax });
  if (method !== STORED) throw new Error('the archive is packed in a way that is not known here');
  if (size > bytesMax) throw new Error(`it is larger than ${bytesMax} bytes`);
  return Buffer.from(packed);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
