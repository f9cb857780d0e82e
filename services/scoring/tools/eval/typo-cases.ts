import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

export interface TypoCase {
  readonly domain: string;
  /** Undefined where no suggestion is expected. */
  readonly meant: string | undefined;
}

/**
 * What mailcheck's own specification expects, read from its tarball. Left out are cases about the invented provider
 * emaildomain.com, which exists only in that specification, and inputs that are not addresses.
 */
export function readMailcheckCases(): TypoCase[] {
  const path = join(dirname(require.resolve('mailcheck/package.json')), 'spec', 'mailcheckSpec.js');
  const spec = readFileSync(path, 'utf8');
  const cases = new Map<string, string | undefined>();
  for (const [, email, meant] of spec.matchAll(
    /suggest\('([^']*)', domains[^)]*\)\.domain\)\.toEqual\('([^']+)'\)/g,
  )) {
    cases.set(domainOf(email), meant);
  }
  for (const [, email, meant] of spec.matchAll(
    /var suggestion = mailcheck\.suggest\('([^']*)'[^;]*;\s*expect\(suggestion\.domain\)\.toEqual\('([^']+)'\)/g,
  )) {
    cases.set(domainOf(email), meant);
  }
  for (const [, email] of spec.matchAll(
    /suggest\('([^']*)', domains[^)]*\)\s*\)(?:\.domain\))?\.toBeFalsy/g,
  )) {
    cases.set(domainOf(email), undefined);
  }
  return [...cases]
    .map(([domain, meant]) => ({ domain, meant }))
    .filter(({ domain, meant }) => /^[a-z0-9.-]+\.[a-z]+$/.test(domain) && meant !== 'emaildomain.com');
}

/** Every lost, doubled and swapped letter of the biggest providers' names. */
export function generateSlips(providers: readonly string[]): TypoCase[] {
  const slips = new Map<string, string>();
  for (const meant of providers) {
    const dot = meant.indexOf('.');
    const name = meant.slice(0, dot);
    const add = (slip: string) => {
      if (slip !== name) slips.set(slip + meant.slice(dot), meant);
    };
    for (let i = 0; i < name.length; i++) {
      add(name.slice(0, i) + name.slice(i + 1));
      add(name.slice(0, i) + name.charAt(i) + name.slice(i));
      add(name.slice(0, i) + name.charAt(i + 1) + name.charAt(i) + name.slice(i + 2));
    }
  }
  return [...slips].map(([domain, meant]) => ({ domain, meant }));
}

function domainOf(email = ''): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
