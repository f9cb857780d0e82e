import type { ReadDatasetFile } from '../load-datasets.js';
import { MANIFEST_FILE, parseManifest } from '../manifest.js';
import { sha256 } from '../sha256.js';
import type { Listings } from './compare-listings.js';

/** Reads and verifies the disposable domains of a release, without the rest of it. */
export async function readListings(read: ReadDatasetFile): Promise<Listings> {
  const { datasets, disposable_sources: sources } = parseManifest(
    (await read(MANIFEST_FILE)).toString('utf8'),
  );
  const { file, sha256: expected } = datasets.disposable_domains;
  const bytes = await read(file);
  if (sha256(bytes) !== expected) throw new Error(`${file}: its hash is not the one in the manifest`);
  return { bytes, sources };
}
