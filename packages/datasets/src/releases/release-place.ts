import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { INDEX_FILE, RELEASES_FOLDER } from './release-index.js';

/** The location of releases: a folder, or an HTTP server. */
export interface ReleasePlace {
  /** For messages. */
  readonly name: string;
  /** The sealed index as it is now; undefined when nothing was published yet. */
  index(): Promise<Buffer | undefined>;
  file(release: string, file: string): Promise<Buffer>;
}

export function folderPlace(directory: string): ReleasePlace {
  return {
    name: directory,
    index: () => readFile(join(directory, INDEX_FILE)).catch(absent),
    file: (release, file) => readFile(join(directory, RELEASES_FOLDER, release, file)),
  };
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
