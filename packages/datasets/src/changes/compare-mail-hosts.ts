import type { MailHostTier } from '../read-mail-hosts.js';

type MailHosts = ReadonlyMap<string, MailHostTier>;

/** Mail servers that one of two releases does not have, or trusts otherwise. */
export const compareMailHosts = (before: MailHosts, after: MailHosts): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((host) => before.get(host) !== after.get(host));
