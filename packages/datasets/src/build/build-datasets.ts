import { parseMailDomain } from '@verdict/domain/address/parse-mail-domain.js';
import { allProviders } from '@verdict/domain/address/provider-domains.js';
import type { Tier } from '../evidence.js';
import {
  DATASET_NAMES,
  type DatasetEntry,
  type DatasetName,
  MANIFEST_FILE,
  MANIFEST_SCHEMA,
  type Manifest,
} from '../manifest.js';
import { sha256 } from '../sha256.js';
import type { Part } from '../sources/part.js';
import { isListed, type ListedSource, type Source } from '../sources/source.js';
import { buildEstablishedSites } from './build-established-sites.js';
import { buildIpNetworks } from './build-ip-networks.js';
import { buildMailHosts } from './build-mail-hosts.js';
import { hasListedParent, mergeDisposable } from './merge-disposable.js';
import { mergeFree } from './merge-free.js';
import { mergeRoles } from './merge-roles.js';
import { readHandList } from './read-hand-list.js';
import { readRiskyEndings } from './read-risky-endings.js';
import { refuseNeverListed } from './refuse-never-listed.js';

/** The names of a source, and since which day it has them. */
export interface DatedPart {
  readonly part: Part;
  readonly asOf: string;
}

export interface BuildInput {
  readonly listsDir: string;
  readonly sources: readonly Source[];
  /** By name of the source. One that is missing, or superseded by one that is not, adds nothing. */
  readonly parts: ReadonlyMap<string, DatedPart>;
  /** A release to be published; what did not change since the one before keeps its version. */
  readonly release?: { readonly id: string; readonly date: string; readonly before: Manifest };
}

interface UsedSource extends DatedPart {
  readonly source: ListedSource;
}

/** Every file of a release by name. The same parts and hand lists give the same bytes, whatever the clock says. */
export function buildDatasets({ listsDir, sources, parts, release }: BuildInput): Map<string, string> {
  const used = usedSources(sources, parts);
  const feeding = (name: DatasetName) => used.filter(({ source }) => source.feeds === name);
  const namesFeeding = (name: DatasetName) => feeding(name).flatMap(({ part }) => part.names);
  const hand = (name: string) => readHandList(listsDir, name);
  const relays = new Set(hand('relays'));
  const knownMail = new Set(hand('core-providers'));
  const placeholders = new Set(hand('placeholders'));
  const bigDomains = new Set([...hand('big-domains'), ...allProviders()]);
  const riskyEndings = readRiskyEndings(listsDir);
  const freeNames = namesFeeding('free_providers');

  const disposableSources = feeding('disposable_domains');
  const disposable = mergeDisposable({
    lists: listsByTier(disposableSources),
    relays,
    knownMail,
    bigDomains,
    placeholders,
    trustedSmall: new Set(hand('trusted-small-providers')),
    freemail: new Set(freeNames),
    restrictedSuffixes: new Set(hand('restricted-suffixes')),
  });
  const notFree = new Set(hand('not-free'));
  const free = mergeFree({
    names: freeNames,
    knownMail,
    excluded: (domain) =>
      hasListedParent(domain, disposable.entries) ||
      relays.has(domain) ||
      placeholders.has(domain) ||
      notFree.has(domain),
  });
  const roles = mergeRoles({
    names: namesFeeding('role_prefixes'),
    added: hand('roles-added'),
    unattended: new Set(hand('roles-unattended')),
    ignored: new Set(hand('roles-ignored')),
  });
  refuseNeverListed(disposable.entries, [...bigDomains, ...knownMail, ...relays]);

  const bits = sourceBits(disposableSources, disposable.entries);
  const operators = [
    ...new Set([...disposable.entries.values()].flatMap(({ operator }) => operator ?? [])),
  ].sort();
  const lines: Record<DatasetName, readonly string[]> = {
    disposable_domains: [...disposable.entries].map(([domain, { operator }]) => {
      const listed = `${domain} ${(bits.get(domain) ?? 0).toString(16)}`;
      return operator === undefined ? listed : `${listed} ${operators.indexOf(operator)}`;
    }),
    free_providers: [...free.domains],
    role_prefixes: [...roles].map(([name, kind]) => `${name} ${kind}`),
    known_mail: [...knownMail],
    relays: [...relays],
    disposable_mail_addresses: hand('disposable-mail-addresses'),
    disposable_mail_hosts: buildMailHosts(hand('disposable-mail-hosts'), new Set([...knownMail, ...relays])),
    established_sites: buildEstablishedSites(namesFeeding('established_sites'), riskyEndings),
    freshly_crawled: disposableSources.flatMap(({ part }) =>
      [...(part.fresh ?? [])].filter((name) => disposable.entries.has(name)),
    ),
    ip_networks: buildIpNetworks(
      feeding('ip_networks').flatMap(({ source, part }) =>
        source.marks === undefined ? [] : [{ kind: source.marks, names: part.names }],
      ),
    ),
    risky_endings: [...riskyEndings],
    sms_gateways: hand('sms-gateways'),
  };
  const notes: Partial<Record<DatasetName, Record<string, number>>> = {
    disposable_domains: disposable.notes,
    free_providers: free.notes,
  };

  const files = new Map<string, string>();
  const datasets: Partial<Record<DatasetName, DatasetEntry>> = {};
  for (const name of DATASET_NAMES) {
    if (lines[name].length === 0) continue;
    const file = `${name.replaceAll('_', '-')}.txt`;
    const text = `${lines[name].toSorted().join('\n')}\n`;
    const hash = sha256(text);
    const before = release?.before.datasets[name];
    const noted = notes[name];
    datasets[name] = {
      version:
        release === undefined
          ? newest(sources.filter(({ feeds }) => feeds === name))
          : before?.sha256 === hash
            ? before.version
            : release.date,
      file,
      sha256: hash,
      count: lines[name].length,
      sources: countPerSource(name, feeding(name), bits, free.domains, lines[name].length),
      ...(noted === undefined ? {} : { notes: noted }),
    };
    files.set(file, text);
  }
  const manifest: Manifest = {
    schema: MANIFEST_SCHEMA,
    ...(release === undefined ? {} : { release: release.id }),
    operators,
    disposable_sources: disposableSources.map(({ source, asOf }) => ({
      name: source.name,
      tier: tierOf(source),
      as_of: asOf,
    })),
    datasets: datasets as Manifest['datasets'],
  };
  files.set(MANIFEST_FILE, `${JSON.stringify(manifest, null, 2)}\n`);
  return files;
}

function usedSources(sources: readonly Source[], parts: ReadonlyMap<string, DatedPart>): UsedSource[] {
  const used = sources.flatMap((source) => {
    const part = parts.get(source.name);
    return part !== undefined && isListed(source) ? [{ source, ...part }] : [];
  });
  const superseded = new Set(used.flatMap(({ source }) => source.supersedes ?? []));
  return used.filter(({ source }) => !superseded.has(source.name));
}

function listsByTier(used: readonly UsedSource[]) {
  const names = (tier: string) =>
    used.filter(({ source }) => source.tier === tier).flatMap(({ part }) => part.names);
  const operators = new Map(used.flatMap(({ part }) => [...part.operators]));
  return {
    curated: names('curated'),
    crawled: new Map(names('crawled').map((name) => [name, operators.get(name)])),
    aggregate: names('aggregate'),
    mailchecker: names('mailchecker'),
  };
}

/** Which sources list each name that was kept. */
function sourceBits(
  used: readonly UsedSource[],
  entries: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, number> {
  const bits = new Map<string, number>();
  used.forEach(({ part }, position) => {
    for (const name of part.names) {
      const parsed = parseMailDomain(name);
      if (!parsed.ok) continue;
      const domain = parsed.domain.ascii;
      if (entries.has(domain)) bits.set(domain, (bits.get(domain) ?? 0) | (1 << position));
    }
  });
  return bits;
}

function tierOf({ name, tier }: ListedSource): Tier {
  if (tier === undefined) throw new Error(`source ${name} has no tier`);
  return tier;
}

function newest(sources: readonly Source[]): string {
  const dates = sources.flatMap(({ as_of }) => as_of ?? []);
  return dates.sort().at(-1) ?? '';
}

function countPerSource(
  name: DatasetName,
  used: readonly UsedSource[],
  bits: ReadonlyMap<string, number>,
  freeDomains: ReadonlySet<string>,
  all: number,
): Record<string, number> {
  if (used.length === 0) return { 'hand-lists': all };
  return Object.fromEntries(
    used.map(({ source, part }, position) => {
      if (name === 'disposable_domains')
        return [source.name, [...bits.values()].filter((bit) => (bit >>> position) & 1).length];
      if (name === 'free_providers')
        return [source.name, part.names.filter((each) => freeDomains.has(each)).length];
      return [source.name, part.names.length];
    }),
  );
}
