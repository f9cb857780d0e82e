import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'tldts';
import {
  type DatasetEntry,
  MANIFEST_FILE,
  MANIFEST_SCHEMA,
  type Manifest,
  type RequiredDatasetName,
} from '../../src/datasets/manifest.js';
import { findTypo } from '../../src/score/find-typo.js';
import { buildMailHosts } from './build-mail-hosts.js';
import { hasListedParent, mergeDisposable } from './merge-disposable.js';
import { mergeFree } from './merge-free.js';
import { mergeRoles } from './merge-roles.js';
import { readHandList } from './read-hand-list.js';
import { installedVersion, readPackages } from './read-packages.js';
import { refuseNeverListed } from './refuse-never-listed.js';

type Sources = Record<RequiredDatasetName, Record<string, { version?: string; as_of: string }>>;

/** Every file of the artefact by name. The same packages and hand lists give the same bytes, whatever the clock says. */
export function buildDatasets(datasetsDir: string): Map<string, string> {
  const sources = JSON.parse(readFileSync(join(datasetsDir, 'sources.json'), 'utf8')) as Sources;
  checkVersions(sources);
  const packages = readPackages();
  const hand = (name: string) => readHandList(datasetsDir, name);
  const relays = new Set(hand('relays'));
  const knownMail = new Set(hand('core-providers'));
  const placeholders = new Set(hand('placeholders'));
  const bigDomains = new Set(hand('big-domains'));

  const disposable = mergeDisposable({
    lists: packages,
    relays,
    knownMail,
    bigDomains,
    placeholders,
    trustedSmall: new Set(hand('trusted-small-providers')),
    freemail: new Set(packages.freemail),
    restrictedSuffixes: new Set(hand('restricted-suffixes')),
  });
  const notFree = new Set(hand('not-free'));
  const free = mergeFree({
    freemail: packages.freemail,
    commonProviders: packages.commonProviders,
    knownMail,
    excluded: (domain) =>
      hasListedParent(domain, disposable.entries) ||
      relays.has(domain) ||
      placeholders.has(domain) ||
      notFree.has(domain),
    isTypo: (domain) => findTypo(domain, parse(domain).isIcann === true) !== undefined,
  });
  const roles = mergeRoles({
    roles: packages.roles,
    noReply: packages.noReply,
    added: hand('roles-added'),
    unattended: new Set(hand('roles-unattended')),
    ignored: new Set(hand('roles-ignored')),
  });
  refuseNeverListed(disposable.entries, [...bigDomains, ...knownMail, ...relays]);

  const operators = [
    ...new Set([...disposable.entries.values()].flatMap(({ operator }) => operator ?? [])),
  ].sort();
  const files = new Map<string, string>();
  const datasets: Partial<Record<RequiredDatasetName, DatasetEntry>> = {};
  const add = (
    name: RequiredDatasetName,
    lines: readonly string[],
    extra: Pick<DatasetEntry, 'sources' | 'notes'>,
  ) => {
    const file = `${name.replaceAll('_', '-')}.txt`;
    const text = `${lines.toSorted().join('\n')}\n`;
    const version = newest(sources[name]);
    datasets[name] = { version, file, sha256: sha256(text), count: lines.length, ...extra };
    files.set(file, text);
  };
  const disposableLines = [...disposable.entries].map(([domain, { evidence, operator }]) =>
    operator === undefined
      ? `${domain} ${evidence.toString(16)}`
      : `${domain} ${evidence.toString(16)} ${operators.indexOf(operator)}`,
  );
  add('disposable_domains', disposableLines, { sources: disposable.perSource, notes: disposable.notes });
  add('free_providers', [...free.domains], {
    sources: {
      freemail: count(packages.freemail, free.domains),
      'email-providers': count(packages.commonProviders, free.domains),
    },
    notes: free.notes,
  });
  add(
    'role_prefixes',
    [...roles].map(([name, kind]) => `${name} ${kind}`),
    {
      sources: {
        'role-based-email-addresses': packages.roles.length,
        'reserved-email-addresses-list': packages.noReply.length,
      },
    },
  );
  for (const [name, lines] of [
    ['known_mail', [...knownMail]],
    ['relays', [...relays]],
    [
      'disposable_mail_hosts',
      buildMailHosts(hand('disposable-mail-hosts'), new Set([...knownMail, ...relays])),
    ],
    ['disposable_mail_addresses', hand('disposable-mail-addresses')],
    ['freshly_crawled', [...packages.freshlyCrawled].filter((name) => disposable.entries.has(name))],
    ['risky_endings', hand('risky-endings').map((line) => line.split(' ')[0] ?? '')],
  ] as const) {
    add(name, lines, {
      sources: { [name === 'freshly_crawled' ? 'fakefilter' : 'hand-lists']: lines.length },
    });
  }
  const manifest = {
    schema: MANIFEST_SCHEMA,
    operators,
    datasets: datasets as Manifest['datasets'],
  } satisfies Manifest;
  files.set(MANIFEST_FILE, `${JSON.stringify(manifest, null, 2)}\n`);
  return files;
}

function checkVersions(sources: Sources): void {
  for (const packages of Object.values(sources)) {
    for (const [name, { version }] of Object.entries(packages)) {
      if (version !== undefined && installedVersion(name) !== version) {
        throw new Error(`${name} ${installedVersion(name)} is installed, sources.json says ${version}`);
      }
    }
  }
}

function newest(packages: Record<string, { as_of: string }>): string {
  const dates = Object.values(packages).map(({ as_of }) => as_of);
  return dates.sort().at(-1) ?? '';
}

function count(names: Iterable<string>, kept: ReadonlySet<string>): number {
  let found = 0;
  for (const name of names) if (kept.has(name.trim())) found++;
  return found;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
