import { gzipSync } from 'node:zlib';
import { crc32 } from './crc32.mjs';

/** @typedef {{ name: string, content: Buffer, isProgram?: boolean }} ArchivedFile */

/** A gzipped tar (ustar) with the same bytes for the same files, whenever and wherever it is made. @param {ArchivedFile[]} files */
export function tarGz(files) {
  const blocks = files.flatMap(({ name, content, isProgram }) => [
    tarHead(name, content.length, isProgram ? 0o755 : 0o644),
    content,
    Buffer.alloc(-content.length & 511),
  ]);
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { level: 9 });
}

/** @param {string} name @param {number} size @param {number} mode */
function tarHead(name, size, mode) {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a tar`);
  const head = Buffer.alloc(512);
  const octal = (value, width) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  head.write(name, 0);
  head.write(octal(mode, 8), 100);
  head.write(octal(0, 8), 108);
  head.write(octal(0, 8), 116);
  head.write(octal(size, 12), 124);
  // npm's own date for every file.
  head.write(octal(499_162_500, 12), 136);
  head.write('        ', 148);
  head.write('0', 156);
  head.write('ustar\u000000', 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

/** A zip of stored files with the same bytes for the same files. @param {ArchivedFile[]} files */
export function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, content } of files) {
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    // 1980-01-01, the first date that a zip knows.
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path]);
    parts.push(local, content);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    entry.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), common, entry, path]));
    offset += local.length + content.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
}
