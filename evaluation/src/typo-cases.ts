import { createHash } from 'node:crypto';
import {
  type ProviderRegion,
  providerDomains,
  providersOf,
} from '@verdict/domain/address/provider-domains.js';
import { readPackageFile } from './read-package.js';

export interface TypoCase {
  readonly domain: string;
  /** Undefined where no suggestion is expected. */
  readonly meant: string | undefined;
}

/** Of every provider as many slips as this, so that long names do not outvote short ones. */
const SLIPS_PER_PROVIDER = 8;
const keyRows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Slips of the big providers by region: letters lost, doubled, swapped and hit beside, in the name and in its ending. */
export function generateSlips(): Record<ProviderRegion, TypoCase[]> {
  const regions = Object.keys(providerDomains) as ProviderRegion[];
  const providers = new Set(regions.flatMap(providersOf));
  const cases = regions.map((region): [ProviderRegion, TypoCase[]] => [
    region,
    providersOf(region).flatMap((meant) =>
      sample(slipsOf(meant).filter((slip) => !providers.has(slip))).map((domain) => ({ domain, meant })),
    ),
  ]);
  return Object.fromEntries(cases) as Record<ProviderRegion, TypoCase[]>;
}

/** The expectations of mailcheck's specification, read from its tarball; without its invented provider emaildomain.com. */
export function readMailcheckCases(): TypoCase[] {
  const spec = readPackageFile('mailcheck', 'spec/mailcheckSpec.js');
  const cases = new Map<string, string | undefined>();
  const expected = [
    /suggest\('([^']*)', domains[^)]*\)\.domain\)\.toEqual\('([^']+)'\)/g,
    /var suggestion = mailcheck\.suggest\('([^']*)'[^;]*;\s*expect\(suggestion\.domain\)\.toEqual\('([^']+)'\)/g,
    /suggest\('([^']*)', domains[^)]*\)\s*\)(?:\.domain\))?\.toBeFalsy/g,
  ];
  for (const pattern of expected) {
    for (const [, email = '', meant] of spec.matchAll(pattern))
      cases.set(email.slice(email.lastIndexOf('@') + 1).toLowerCase(), meant);
  }
  return [...cases]
    .map(([domain, meant]) => ({ domain, meant }))
    .filter(({ domain, meant }) => /^[a-z0-9.-]+\.[a-z]+$/.test(domain) && meant !== 'emaildomain.com');
}

function slipsOf(domain: string): string[] {
  const slips = new Set<string>();
  for (let i = 0; i < domain.length; i++) {
    const letter = domain.charAt(i);
    if (letter === '.') continue;
    const [before, after] = [domain.slice(0, i), domain.slice(i + 1)];
    slips.add(before + after);
    slips.add(before + letter + letter + after);
    if (after !== '' && after.charAt(0) !== '.')
      slips.add(before + after.charAt(0) + letter + after.slice(1));
    for (const beside of besides(letter)) slips.add(before + beside + after);
  }
  slips.delete(domain);
  return [...slips].filter((slip) => /^[a-z0-9-]+(?:\.[a-z0-9]{2,})+$/.test(slip));
}

function besides(letter: string): string[] {
  const row = keyRows.find((keys) => keys.includes(letter));
  if (row === undefined) return [];
  const at = row.indexOf(letter);
  return [row.charAt(at - 1), row.charAt(at + 1)].filter((key) => key !== '');
}

/** The same few on every machine and in every run, chosen by a hash. */
function sample(slips: readonly string[]): string[] {
  const order = (slip: string) => createHash('sha256').update(`slip ${slip}`).digest('hex');
  return slips.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, SLIPS_PER_PROVIDER);
}
