import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** The size of a file and its SHA-256, as `sha256sum` prints it. */
export async function checksumOfFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
