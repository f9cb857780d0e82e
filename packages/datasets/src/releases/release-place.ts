import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FetchLimits, fetchBytes, type Validators } from '../sources/fetch-bytes.js';
import { INDEX_FILE, RELEASES_FOLDER } from './release-index.js';

/** Where releases lie: a folder, or anything that serves one over HTTP. */
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

export function urlPlace(base: string, limits: FetchLimits): ReleasePlace {
  const root = base.replace(/\/?$/, '/');
  let last: { bytes: Buffer; validators: Validators } | undefined;
  return {
    name: root,
    async index() {
      const answer = await fetchBytes(root + INDEX_FILE, limits, last?.validators).catch((error: Error) => {
        throw new Error(`${root}${INDEX_FILE}: ${error.message}`);
      });
      if (answer.kind === 'fetched') last = answer;
      return last?.bytes;
    },
    async file(release, file) {
      const address = `${root}${RELEASES_FOLDER}/${release}/${file}`;
      const answer = await fetchBytes(address, limits).catch((error: Error) => {
        throw new Error(`${address}: ${error.message}`);
      });
      if (answer.kind !== 'fetched') throw new Error(`${address}: it answered 304 to no condition`);
      return answer.bytes;
    },
  };
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
