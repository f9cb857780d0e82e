import type { KeyObject } from 'node:crypto';
import type { ReadDatasetFile } from '../load-datasets.js';
import { MANIFEST_FILE } from '../manifest.js';
import { sha256 } from '../sha256.js';
import { parseIndex, type Release } from './release-index.js';
import type { ReleasePlace } from './release-place.js';
import { unseal } from './signature.js';

/** Reads what was published, and believes it only as far as hashes and the operator's signature reach. */
export type ReleaseReader = ReturnType<typeof createReleaseReader>;

export function createReleaseReader(place: ReleasePlace, keys: readonly KeyObject[]) {
  let newest = '';
  return {
    place: place.name,
    async index() {
      const sealed = await place.index();
      if (sealed === undefined) return undefined;
      const index = parseIndex(unseal(sealed.toString('utf8'), keys));
      if (index.changed_at < newest) throw new Error('index: it is older than one that was seen before');
      newest = index.changed_at;
      return index;
    },
    open:
      ({ id, manifest_sha256 }: Release): ReadDatasetFile =>
      async (file) => {
        const bytes = await place.file(id, file);
        // Every other file is vouched for by the manifest.
        if (file === MANIFEST_FILE && sha256(bytes) !== manifest_sha256)
          throw new Error(`${id}: the hash of the manifest is not the one in the index`);
        return bytes;
      },
  };
}
