import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The built files by their address, read once: a build does not change under a running process, and what is not in this
 * list cannot be asked for. Null when nothing was built.
 */
export function findWebFiles(directory: string): ReadonlySet<string> | null {
  if (!existsSync(join(directory, 'index.html'))) return null;
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|map)$|(?<!\.tar)\.gz$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length).replaceAll('\\', '/'));
  return new Set(files.map((file) => (file.startsWith('/') ? file : `/${file}`)));
}
