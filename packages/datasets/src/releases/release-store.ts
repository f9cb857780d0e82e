import type { KeyObject } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../manifest.js';
import { sha256 } from '../sha256.js';
import {
  currentRelease,
  findRelease,
  INDEX_FILE,
  RELEASES_FOLDER,
  RELEASES_KEPT,
  type Release,
  type ReleaseIndex,
} from './release-index.js';
import { folderPlace } from './release-place.js';
import { createReleaseReader } from './release-reader.js';
import { seal } from './signature.js';

const STAGED = '.staged';

/** The folder that is published from. One writer at a time (update/lock.ts); any number of readers. */
export function createReleaseStore(directory: string, signingKey: KeyObject | undefined) {
  const releases = join(directory, RELEASES_FOLDER);
  const staged = join(releases, STAGED);
  // The publisher trusts its own folder; readers verify signatures.
  const reader = createReleaseReader(folderPlace(directory), []);

  async function writeIndex(index: ReleaseIndex): Promise<void> {
    const path = join(directory, INDEX_FILE);
    await writeDurably(`${path}.new`, seal(JSON.stringify(index), signingKey));
    await rename(`${path}.new`, path);
  }

  /** After the index no longer names them. */
  async function removeAllBut(kept: readonly Release[]): Promise<void> {
    for (const folder of await readdir(releases)) {
      if (!kept.some(({ id }) => id === folder))
        await rm(join(releases, folder), { recursive: true, force: true });
    }
  }

  return {
    index: () => reader.index(),
    /** Writes the files under a temporary name and returns that folder. */
    async stage(files: ReadonlyMap<string, string>) {
      await rm(staged, { recursive: true, force: true });
      await mkdir(staged, { recursive: true });
      for (const [file, text] of files) await writeDurably(join(staged, file), text);
      return staged;
    },
    /** Makes a staged folder the current release. */
    async publish(id: string, folder: string, now: Date) {
      const before = await reader.index();
      const manifest = await readFile(join(folder, MANIFEST_FILE));
      const release = { id, published_at: now.toISOString(), manifest_sha256: sha256(manifest) };
      // Left by a publisher that died before it wrote the index; no reader has seen it.
      await rm(join(releases, id), { recursive: true, force: true });
      await rename(folder, join(releases, id));
      const kept = [release, ...(before?.releases ?? [])].slice(0, RELEASES_KEPT);
      await writeIndex({ schema: 1, changed_at: release.published_at, current: id, releases: kept });
      await removeAllBut(kept);
      return release;
    },
    discard: (folder: string) => rm(folder, { recursive: true, force: true }),
    /** Makes an older release current again; without a name, the one before the current. */
    async rollBack(wanted: string | undefined, now: Date) {
      const index = await reader.index();
      if (index === undefined) throw new Error(`nothing was published in ${directory} yet`);
      const current = currentRelease(index);
      const target =
        wanted === undefined
          ? index.releases[index.releases.indexOf(current) + 1]
          : findRelease(index.releases, wanted);
      if (target === undefined)
        throw new Error(`there is no ${wanted === undefined ? 'older release' : wanted}`);
      await writeIndex({ ...index, current: target.id, changed_at: now.toISOString() });
      return target;
    },
  };
}

/** On disk before it is named anywhere: a power cut must not leave an index that points at empty files. */
async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
