import { type FetchLimits, fetchBytes, type Validators } from '../sources/fetch-bytes.js';
import { INDEX_FILE, RELEASES_FOLDER } from './release-index.js';
import type { ReleasePlace } from './release-place.js';

/** Releases that are served over HTTP. */
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
