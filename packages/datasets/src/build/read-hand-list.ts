import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One entry a line; lines that begin with # explain. */
export function readHandList(datasetsDir: string, name: string): string[] {
  return readFileSync(join(datasetsDir, `${name}.txt`), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
