import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { parseIp } from '@verdict/domain/address/parse-ip.js';
import { parseMailDomain } from '@verdict/domain/address/parse-mail-domain.js';
import { spellingsOfIp } from '@verdict/domain/address/spellings-of-ip.js';
import { invalidField } from '@verdict/service-kit/errors.js';

/**
 * Checks are stored in lower case as they were sent, with an international domain in Unicode or punycode. A search
 * finds both.
 */

export function emailSpellings(field: string, text: string): { addresses: string[]; domains: string[] } {
  const parsed = parseEmail(text);
  if (!parsed.ok) throw invalidField(field, parsed.message);
  const { text: sent, local, domain, unicodeDomain, canonical } = parsed.address;
  const domains = distinct(domain, unicodeDomain);
  const addresses = domains.map((each) => `${local}@${each}`.toLowerCase());
  return { addresses: distinct(sent.toLowerCase(), canonical, ...addresses), domains };
}

export function domainSpellings(field: string, text: string): string[] {
  const parsed = parseMailDomain(text.trim());
  if (!parsed.ok) throw invalidField(field, parsed.message);
  return distinct(parsed.domain.ascii, parsed.domain.unicode);
}

export function ipSpellings(field: string, text: string): string[] {
  const parsed = parseIp(text);
  if (!parsed.ok) throw invalidField(field, parsed.message);
  return spellingsOfIp(parsed.ip);
}

const distinct = (...texts: readonly string[]): string[] => [...new Set(texts)];
