import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReadDatasetFile, readFromFolder } from '../load-datasets.js';
import { MANIFEST_FILE } from '../manifest.js';
import { sha256 } from '../sha256.js';
import { currentRelease, INDEX_FILE } from './release-index.js';
import type { ReleaseReader } from './release-reader.js';

/** The data at an origin, known without loading it. */
export interface DatasetOffer {
  /** Hash of the manifest. */
  readonly fingerprint: string;
  /** A release was guarded against its predecessor when it was published; a folder made by hand was not. */
  readonly guarded: boolean;
  readonly read: ReadDatasetFile;
}

/** Where data is taken from. Undefined: nothing was put there yet. */
export interface DatasetOrigin {
  readonly name: string;
  latest(): Promise<DatasetOffer | undefined>;
}

export function releaseOrigin(reader: ReleaseReader): DatasetOrigin {
  return {
    name: reader.place,
    async latest() {
      const index = await reader.index();
      if (index === undefined) return undefined;
      const release = currentRelease(index);
      return { fingerprint: release.manifest_sha256, guarded: true, read: reader.open(release) };
    },
  };
}

/** A folder with a manifest in it, as `pnpm datasets:build` writes. */
export function folderOrigin(directory: string): DatasetOrigin {
  const read = readFromFolder(directory);
  return {
    name: directory,
    latest: async () => ({ fingerprint: sha256(await read(MANIFEST_FILE)), guarded: false, read }),
  };
}

/** A folder in which releases are published, one with a manifest, or an empty one that waits for its first release. */
export function eitherOrigin(
  directory: string,
  reader: ReleaseReader,
  unsignedAllowed: boolean,
): DatasetOrigin {
  const releases = releaseOrigin(reader);
  const plain = folderOrigin(directory);
  return {
    name: directory,
    async latest() {
      const published = await releases.latest();
      if (published !== undefined) return published;
      if (await exists(join(directory, MANIFEST_FILE))) {
        if (unsignedAllowed) return plain.latest();
        throw new Error(`${directory} holds no ${INDEX_FILE}, and DATASETS_PUBLIC_KEY asks for a signature`);
      }
      return undefined;
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
