import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const COMPRESSIBLE = /\.(?:js|css|html|svg|json|txt)$/;
const WORTH_IT_BYTES = 512;

/** Lays a `.br` and a `.gz` beside each file that shrinks, for a server that sends them as they are. @param {string} directory */
export async function compressFiles(directory) {
  const files = readdirSync(directory, { recursive: true }).filter((name) => COMPRESSIBLE.test(name));
  await Promise.all(
    files.map(async (name) => {
      const file = path.join(directory, name);
      const content = readFileSync(file);
      if (content.length < WORTH_IT_BYTES) return;
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(content));
      writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}
