import type { CheckNames } from '@verdict/db/lists/list-entries.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { normalIp } from '@verdict/domain/address/normal-ip.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { parseIp } from '@verdict/domain/address/parse-ip.js';

interface Names extends CheckNames {
  /** The address, when there is one that can be judged: a masked one cannot. */
  readonly address: EmailAddress | null;
  /** Its domain and each parent. */
  readonly domains: readonly string[];
}

/** The names of a check that list entries may match. */
export function namesOf(email: string | null, ip: string | null, hosts: readonly string[]): Names {
  const parsed = email === null || email.includes('***@') ? null : parseEmail(email);
  const parsedIp = ip === null ? null : parseIp(ip);
  const known = parsedIp?.ok ? normalIp(parsedIp.ip) : null;
  const values = known === null ? [] : [known];
  const servers = hosts.flatMap(withParents);
  if (!parsed?.ok) return { address: null, domains: [], values, servers, mailbox: null, ip: known };
  const { canonical, domain } = parsed.address;
  const mailbox = mailboxOf(parsed.address, true);
  const domains = withParents(domain);
  return {
    address: parsed.address,
    domains,
    values: [canonical, ...domains, ...values],
    servers,
    mailbox,
    ip: known,
  };
}

/** As the step does: the name, and of its parents the eight shortest, down to two labels. */
function withParents(name: string): string[] {
  const labels = name.split('.');
  const parents = labels.slice(-9, -1).map((_, i, all) => labels.slice(-all.length - 1 + i).join('.'));
  return [...new Set([name, ...parents])];
}
