import { parseEmail } from './address/parse-email.js';
import { parseIp } from './address/parse-ip.js';
import { parseMailDomain } from './address/parse-mail-domain.js';

export interface ListValue {
  readonly kind: 'address' | 'domain' | 'ip';
  /** The one spelling that admission looks for. */
  readonly value: string;
}

export type ListValueResult = { ok: true; entry: ListValue } | { ok: false; message: string };

const NEITHER = 'is neither an address, a domain nor an IP address';

/** Reads a list entry as typed: text with an @ is an address, an IP is an IP, anything else may be a domain. */
export function parseListValue(input: string): ListValueResult {
  const text = input.trim();
  if (text.includes('@') && !text.startsWith('@')) {
    const email = parseEmail(text);
    return email.ok
      ? { ok: true, entry: { kind: 'address', value: email.address.canonical } }
      : { ok: false, message: `${NEITHER} (${email.message})` };
  }
  const ip = parseIp(text);
  if (ip.ok) return { ok: true, entry: { kind: 'ip', value: ip.ip.canonical } };
  // "@example.com" and "example.com." are how people write domains.
  const domain = parseMailDomain(text.replace(/^@/, '').replace(/\.$/, ''));
  if (domain.ok) return { ok: true, entry: { kind: 'domain', value: domain.domain.ascii } };
  return { ok: false, message: hint(text) ?? NEITHER };
}

const RANGE = /^(.+)\/\d{1,3}$/;

/** Notations of other lists, and their form here. */
function hint(text: string): string | null {
  const below = text.startsWith('*.') ? parseMailDomain(text.slice(2)) : null;
  if (below?.ok) return `needs no star: ${below.domain.ascii} covers every name below it too`;
  const [, start] = RANGE.exec(text) ?? [];
  if (start !== undefined && parseIp(start).ok) return 'is a range; a list holds single IP addresses';
  return null;
}
