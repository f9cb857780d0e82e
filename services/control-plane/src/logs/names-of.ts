import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { parseIp } from '@verdict/domain/address/parse-ip.js';

interface Names {
  /** The address, when there is one that can be judged: a masked one cannot. */
  readonly email: string | null;
  /** The list entries that would match: the address, its domain, each parent, the IP. */
  readonly values: readonly string[];
}

export function namesOf(email: string | null, ip: string | null): Names {
  const parsed = email === null || email.includes('***@') ? null : parseEmail(email);
  const parsedIp = ip === null ? null : parseIp(ip);
  const values: string[] = parsedIp?.ok ? [parsedIp.ip.canonical] : [];
  if (!parsed?.ok) return { email: null, values };
  const { canonical, domain } = parsed.address;
  const labels = domain.split('.');
  // As admission does: down to the last two labels.
  const domains = labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'));
  return { email, values: [canonical, ...domains, ...values] };
}
