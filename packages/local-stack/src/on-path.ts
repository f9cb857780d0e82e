import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** The first program of that name that can be run. */
export function onPath(name: string): string | undefined {
  // Debian keeps servers in sbin for some versions, and a user's PATH may leave it out.
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return directories.map((directory) => resolve(join(directory || '.', name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
