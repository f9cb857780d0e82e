import { getDomain, parse } from 'tldts';

const options = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
};

/** The unit of one owner: all names below it share name servers. The name itself where no suffix is known. */
export function registrableDomain(domain: string): string {
  return getDomain(domain, options) ?? domain;
}

/** The last label of a name whose ending was not delegated when the suffix list was made, or nothing. */
export function undelegatedEnding(domain: string): string | undefined {
  const { isIcann, isPrivate, publicSuffix } = parse(domain, options);
  return isIcann === true || isPrivate === true ? undefined : (publicSuffix ?? domain);
}
