import { parseEmail } from './parse-email.js';

/**
 * The lower-case spellings under which one mailbox may have been sent: as given, and with its domain in Unicode or in
 * A-labels. Text that is not an address has one spelling.
 */
export function emailSpellings(text: string): string[] {
  const given = text.trim().toLowerCase();
  const parsed = parseEmail(text);
  if (!parsed.ok) return [given];
  const { local, domain, unicodeDomain, canonical } = parsed.address;
  const name = local.toLowerCase();
  return [...new Set([given, canonical, `${name}@${domain}`, `${name}@${unicodeDomain}`])];
}
