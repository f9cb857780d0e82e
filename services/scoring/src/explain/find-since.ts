import { MANIFEST_FILE, type Manifest, parseManifest } from '@verdict/datasets/manifest.js';
import type { Release } from '@verdict/datasets/releases/release-index.js';
import type { ReleaseReader } from '@verdict/datasets/releases/release-reader.js';
import type { Listing } from './find-listings.js';

export interface Since {
  readonly since: string;
  readonly orEarlier: boolean;
}

/** Since which release each entry has been there without a gap, among those that are kept. Newest first. */
export async function findSince(
  reader: ReleaseReader,
  releases: readonly Release[],
  listings: readonly Listing[],
): Promise<Since[]> {
  const found = listings.map(() => ({ since: '', ended: false }));
  /** Most releases share most of their files: each is read once. */
  const texts = new Map<string, string>();
  for (const release of releases) {
    const opened = await openRelease(reader, release).catch(() => undefined);
    // A release of an older form cannot be asked; what is known ends here.
    if (opened === undefined) break;
    for (const [position, listing] of listings.entries()) {
      const state = found[position];
      if (state === undefined || state.ended) continue;
      const dataset = opened.manifest.datasets[listing.list];
      const text = dataset
        ? (texts.get(dataset.sha256) ?? `\n${(await opened.read(dataset.file)).toString('latin1')}`)
        : '';
      if (dataset) texts.set(dataset.sha256, text);
      if (isListed(text, listing, opened.manifest)) state.since = release.id;
      else state.ended = true;
    }
  }
  return found.map(({ since, ended }) => ({ since, orEarlier: !ended }));
}

async function openRelease(reader: ReleaseReader, release: Release) {
  const read = reader.open(release);
  return { read, manifest: parseManifest((await read(MANIFEST_FILE)).toString('utf8')) };
}

function isListed(text: string, { list, entry, source }: Listing, manifest: Manifest): boolean {
  const start = text.indexOf(
    `\n${entry}${list === 'disposable_domains' || list === 'role_prefixes' ? ' ' : '\n'}`,
  );
  if (start === -1 || list !== 'disposable_domains') return start !== -1;
  const [, bits = '0'] = text.slice(start + 1, text.indexOf('\n', start + 1)).split(' ');
  const bit = manifest.disposable_sources.findIndex(({ name }) => name === source);
  return bit !== -1 && ((Number.parseInt(bits, 16) >>> bit) & 1) === 1;
}
