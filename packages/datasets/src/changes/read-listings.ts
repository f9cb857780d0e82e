import type { ReadDatasetFile } from '../load-datasets.js';
import { type DatasetEntry, MANIFEST_FILE, parseManifest } from '../manifest.js';
import { type MailHostTier, readMailHosts } from '../read-mail-hosts.js';
import { sha256 } from '../sha256.js';
import type { Listings } from './compare-listings.js';

/** The parts of a release that second looks compare. */
interface ReleaseListings extends Listings {
  readonly mailHosts: ReadonlyMap<string, MailHostTier>;
}

/** Reads and verifies the disposable domains and mail servers of a release, without the rest of it. */
export async function readListings(read: ReadDatasetFile): Promise<ReleaseListings> {
  const { datasets, disposable_sources: sources } = parseManifest(
    (await read(MANIFEST_FILE)).toString('utf8'),
  );
  const bytes = await readVerified(read, datasets.disposable_domains);
  const hosts = (await readVerified(read, datasets.disposable_mail_hosts)).toString('utf8').trimEnd();
  return { bytes, sources, mailHosts: readMailHosts(hosts.split('\n')) };
}

async function readVerified(
  read: ReadDatasetFile,
  { file, sha256: expected }: DatasetEntry,
): Promise<Buffer> {
  const bytes = await read(file);
  if (sha256(bytes) !== expected) throw new Error(`${file}: its hash is not the one in the manifest`);
  return bytes;
}
