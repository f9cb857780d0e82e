import { promisify } from 'node:util';
import { brotliDecompress, constants } from 'node:zlib';
import { sha256 } from '../sha256.js';
import { createIpOrigins, type IpOrigins, ORIGINS_MAGIC, type OriginsHeader } from './ip-origins.js';

export const ORIGINS_FILE = 'ip-origins.bin';
const HEADER_BYTES_MAX = 8192;
const unpack = promisify(brotliDecompress);

export interface PackedIpOrigins {
  readonly header: OriginsHeader;
  /** Unpacks it, beside the thread that answers. */
  open(): Promise<IpOrigins>;
}

/** Verifies a packed file. Throws with a sentence if it was emptied, cut or changed. */
export function readIpOrigins(file: Buffer): PackedIpOrigins {
  const end = file.subarray(0, HEADER_BYTES_MAX).indexOf('\n');
  const line = file.toString('utf8', 0, Math.max(0, end));
  if (!line.startsWith(ORIGINS_MAGIC)) throw new Error(`${ORIGINS_FILE}: it has another form`);
  const header = JSON.parse(line.slice(ORIGINS_MAGIC.length)) as OriginsHeader;
  const packed = file.subarray(end + 1);
  if (sha256(packed) !== header.sha256) throw new Error(`${ORIGINS_FILE}: it was cut off or changed`);
  return {
    header,
    async open() {
      // One byte more, or a full buffer makes room for a second one.
      const chunkSize = Math.max(constants.Z_MIN_CHUNK, header.bytes + 1);
      const room = { maxOutputLength: header.bytes, chunkSize };
      const columns = await unpack(packed, room);
      if (columns.length !== header.bytes)
        throw new Error(`${ORIGINS_FILE}: ${columns.length} bytes, it says ${header.bytes}`);
      return createIpOrigins(header, columns);
    },
  };
}
