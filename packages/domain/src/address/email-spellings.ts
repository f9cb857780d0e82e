import { parseEmail } from './parse-email.js';

/**
 * The lower-case spellings under which one mailbox may have been sent: as given, and with its domain as people read it
 * or as DNS does. What is no address has the one spelling.
 */
export function emailSpellings(text: string): string[] {
  const given = text.trim().toLowerCase();
  const parsed = parseEmail(text);
  if (!parsed.ok) return [given];
  const { local, domain, unicodeDomain, canonical } = parsed.address;
  const name = local.toLowerCase();
  return [...new Set([given, canonical, `${name}@${domain}`, `${name}@${unicodeDomain}`])];
}
