import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The first program of that name that can be run. @param {string} name @returns {string | undefined} */
export function onPath(name) {
  // Debian keeps servers in sbin for some versions, and a user's PATH may leave it out.
  const directories = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];
  for (const directory of directories) {
    const file = path.join(directory || '.', name);
    try {
      accessSync(file, constants.X_OK);
      return path.resolve(file);
    } catch {
      // look further
    }
  }
  return undefined;
}
