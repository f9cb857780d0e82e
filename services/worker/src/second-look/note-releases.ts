import { compareListings, type ListingChange } from '@verdict/datasets/changes/compare-listings.js';
import { compareMailHosts } from '@verdict/datasets/changes/compare-mail-hosts.js';
import { readListings } from '@verdict/datasets/changes/read-listings.js';
import { type ReadDatasetFile, readFromFolder } from '@verdict/datasets/load-datasets.js';
import { MANIFEST_FILE, parseManifest } from '@verdict/datasets/manifest.js';
import { currentRelease, type ReleaseIndex } from '@verdict/datasets/releases/release-index.js';
import { folderPlace } from '@verdict/datasets/releases/release-place.js';
import { createReleaseReader } from '@verdict/datasets/releases/release-reader.js';
import { SHIPPED_DIR } from '@verdict/datasets/shipped.js';
import type { Database } from '@verdict/db/database/client.js';
import { type NewestLook, newestLook, noteRelease } from '@verdict/db/revisions/note-release.js';
import type { CreateId } from '@verdict/domain/id.js';
import type { Logger } from '@verdict/service-kit/logger.js';

interface Options {
  readonly db: Database;
  /** Where releases are published. */
  readonly directory: string;
  readonly createId: CreateId;
  readonly log: Logger;
}

/** Notes the release in use, with its changes since the one that was noted last. */
export async function noteReleases({ db, directory, createId, log }: Options): Promise<void> {
  const reader = createReleaseReader(folderPlace(directory), []);
  const index = await reader.index();
  const now = index
    ? { release: currentRelease(index).id, changedAt: index.changed_at }
    : await shippedRelease();
  const newest = await newestLook(db);
  if (newest?.changed_at === now.changedAt) return;
  const id = createId('lok');
  const open = (release: string) => openRelease(reader, index, release);
  const found = newest
    ? await changesSince(newest, now.release, open, log)
    : { names: [], hosts: [], changes: [], base: now.release };
  await noteRelease(db, { id, ...now, ...found });
  const { names, hosts, changes } = found;
  log.info(
    { release: now.release, changes: changes.length, names: names.length, hosts: hosts.length },
    'changes of the lists noted',
  );
}

type Open = (release: string) => Promise<ReadDatasetFile>;

/**
 * The history grows by what changed since the release before. A second look begins where the last one that was done
 * ended, and takes the names of one that was not where it has revised some of their checks.
 */
async function changesSince(newest: NewestLook, release: string, open: Open, log: Logger) {
  const base = newest.status === 'done' ? newest.release : newest.base;
  try {
    const after = await readListings(await open(release));
    const changesOf = async (from: string) => {
      const changes: ListingChange[] = [];
      if (from === release) return { changes, hosts: [] };
      const before = await readListings(await open(from));
      for await (const change of compareListings(before, after)) changes.push(change);
      return { changes, hosts: compareMailHosts(before.mailHosts, after.mailHosts) };
    };
    const history = await changesOf(newest.release);
    const looked = base === newest.release ? history : await changesOf(base);
    const changed = looked.changes.flatMap(({ name, changesClass }) => (changesClass ? [name] : []));
    const unfinished = newest.begun ? newest : { names: [], hosts: [] };
    return {
      base,
      names: [...new Set([...changed, ...unfinished.names])],
      hosts: [...new Set([...looked.hosts, ...unfinished.hosts])],
      changes: history.changes.flatMap(toRows),
    };
  } catch (error) {
    // A release that is kept no longer cannot be compared: history and second looks begin anew here.
    log.warn({ release, cause: (error as Error).message }, 'releases cannot be compared');
    return { base: release, names: [], hosts: [], changes: [] };
  }
}

const toRows = ({ name: domain, listed, unlisted }: ListingChange) => [
  ...listed.map((source) => ({ domain, source, listed: true })),
  ...unlisted.map((source) => ({ domain, source, listed: false })),
];

/** Before the first release, the data that came with the software is used. */
async function shippedRelease() {
  const release = await nameOfShipped();
  return { release, changedAt: release };
}

async function nameOfShipped(): Promise<string> {
  const manifest = parseManifest((await readFromFolder(SHIPPED_DIR)(MANIFEST_FILE)).toString('utf8'));
  return `shipped ${manifest.datasets.disposable_domains.sha256.slice(0, 16)}`;
}

async function openRelease(
  reader: ReturnType<typeof createReleaseReader>,
  index: ReleaseIndex | undefined,
  id: string,
): Promise<ReadDatasetFile> {
  const release = index?.releases.find((each) => each.id === id);
  if (release) return reader.open(release);
  if (id === (await nameOfShipped())) return readFromFolder(SHIPPED_DIR);
  throw new Error(`${id} is kept no longer`);
}
