import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetSnapshot, RoleKind } from './dataset-snapshot.js';
import { loadDomainTable } from './domain-table.js';
import { TIER_BITS } from './evidence.js';
import { findImpossibleName } from './find-impossible-name.js';
import { createIpNetworks } from './ip-networks.js';
import {
  type DatasetEntry,
  MANIFEST_FILE,
  type Manifest,
  parseManifest,
  type RequiredDatasetName,
} from './manifest.js';
import { readMailHosts } from './read-mail-hosts.js';
import { sha256 } from './sha256.js';

/** Reads one file of a release from its location. */
export type ReadDatasetFile = (file: string) => Promise<Buffer>;

export const readFromFolder =
  (directory: string): ReadDatasetFile =>
  (file) =>
    readFile(join(directory, file));

/**
 * Reads and verifies a folder of data. Throws with a sentence that says which rule it broke; never half a snapshot.
 * `namesChecked`: a test has checked every name of the shipped lists, and the hashes prove that they are the same.
 */
export async function loadDatasets(
  place: string | ReadDatasetFile,
  { namesChecked = false } = {},
): Promise<DatasetSnapshot> {
  const readRaw = typeof place === 'string' ? readFromFolder(place) : place;
  const manifestBytes = await readRaw(MANIFEST_FILE);
  const manifest = parseManifest(manifestBytes.toString('utf8'));
  const read = (name: RequiredDatasetName) => readVerified(readRaw, manifest.datasets[name]);
  const readNames = async (name: RequiredDatasetName) => readSet(await read(name), manifest.datasets[name]);

  const knownMail = await readNames('known_mail');
  const relays = await readNames('relays');
  const disposable = await loadDomainTable(
    await read('disposable_domains'),
    manifest.disposable_sources.map(({ tier }) => TIER_BITS[tier]),
  );
  checkCount(disposable.size, manifest.datasets.disposable_domains);
  const impossible = namesChecked
    ? undefined
    : await findImpossibleName(disposable, [...knownMail, ...relays]);
  if (impossible !== undefined) throw new Error(`disposable-domains.txt: ${impossible}`);

  return {
    versions: describe(manifest),
    fingerprint: sha256(manifestBytes),
    release: manifest.release,
    disposable,
    disposableSources: manifest.disposable_sources,
    operators: manifest.operators,
    disposableMailHosts: readMailHosts(readLines(await read('disposable_mail_hosts'))),
    disposableMailAddresses: await readNames('disposable_mail_addresses'),
    freshlyCrawled: await readOptional(readRaw, manifest.datasets.freshly_crawled),
    riskyEndings: await readNames('risky_endings'),
    establishedSites: await readEstablishedSites(readRaw, manifest),
    freeProviders: await readNames('free_providers'),
    knownMail,
    relays,
    ipNetworks: createIpNetworks(
      manifest.datasets.ip_networks === undefined
        ? []
        : readLines(await readVerified(readRaw, manifest.datasets.ip_networks)),
    ),
    smsGateways: await readOptional(readRaw, manifest.datasets.sms_gateways),
    roles: readRoles(await read('role_prefixes'), manifest.datasets.role_prefixes),
  };
}

async function readOptional(read: ReadDatasetFile, entry: DatasetEntry | undefined): Promise<Set<string>> {
  return entry === undefined ? new Set() : readSet(await readVerified(read, entry), entry);
}

async function readEstablishedSites(read: ReadDatasetFile, { datasets }: Manifest) {
  const entry = datasets.established_sites;
  if (entry === undefined) return undefined;
  const table = await loadDomainTable(await readVerified(read, entry));
  checkCount(table.size, entry);
  return table;
}

async function readVerified(read: ReadDatasetFile, entry: DatasetEntry): Promise<Buffer> {
  const bytes = await read(entry.file);
  if (sha256(bytes) !== entry.sha256)
    throw new Error(`${entry.file}: the hash is not the one in the manifest`);
  return bytes;
}

function readSet(bytes: Buffer, entry: DatasetEntry): Set<string> {
  const names = new Set(readLines(bytes));
  checkCount(names.size, entry);
  return names;
}

function readRoles(bytes: Buffer, entry: DatasetEntry): Map<string, RoleKind> {
  const roles = new Map<string, RoleKind>();
  for (const line of readLines(bytes)) {
    const [name = '', kind] = line.split(' ');
    if (kind !== 'role' && kind !== 'unattended') throw new Error(`${entry.file}: "${line}" is malformed`);
    roles.set(name, kind);
  }
  checkCount(roles.size, entry);
  return roles;
}

function readLines(bytes: Buffer): string[] {
  return bytes.toString('utf8').trimEnd().split('\n');
}

function checkCount(found: number, entry: DatasetEntry): void {
  if (found !== entry.count)
    throw new Error(`${entry.file}: ${found} entries, the manifest says ${entry.count}`);
}

function describe({ datasets }: Manifest): DatasetSnapshot['versions'] {
  return {
    disposable_domains: {
      count: datasets.disposable_domains.count,
      version: datasets.disposable_domains.version,
    },
    free_providers: { version: datasets.free_providers.version },
    role_prefixes: { version: datasets.role_prefixes.version },
  };
}
