import type { ListedValue } from './account-list.js';
import { ipDigits, parseIpNetwork } from './address/ip-network.js';
import { mailboxOf } from './address/mailbox-of.js';
import { normalIp } from './address/normal-ip.js';
import { parseEmail } from './address/parse-email.js';
import { parseIp } from './address/parse-ip.js';
import { parseMailDomain } from './address/parse-mail-domain.js';

/** The subject of an entry; `value` in the one spelling that admission looks for. */
export type ListValue = Pick<ListedValue, 'kind' | 'match' | 'value'>;

export type ListValueResult = { ok: true; entry: ListValue } | { ok: false; message: string };

const NEITHER = 'is neither an address, a domain, an IP address nor a network';

/** Labels of a domain that is listed: a check is compared with no longer parents. */
const LABELS_MAX = 9;

/** Wider networks would list a good part of the internet. */
const SHORTEST = { 4: 8, 6: 16 } as const;

/** Reads a list entry as typed: text with an @ is an address, an IP is an IP, anything else may be a domain. */
export function parseListValue(input: string, match: ListValue['match'] = 'exact'): ListValueResult {
  const text = input.trim();
  if (match === 'mx') return parseMailServer(text);
  if (text.includes('@') && !text.startsWith('@')) {
    const email = parseEmail(text);
    if (!email.ok) return { ok: false, message: `${NEITHER} (${email.message})` };
    // The entry covers a mailbox, so a tag in it is dropped wherever tags may be ignored.
    const value = match === 'mailbox' ? mailboxOf(email.address, true) : email.address.canonical;
    return { ok: true, entry: { kind: 'address', match, value } };
  }
  if (match === 'mailbox') return { ok: false, message: 'is not an address, so it has no mailbox' };
  const ip = parseIp(text);
  if (ip.ok) return { ok: true, entry: { kind: 'ip', match, value: normalIp(ip.ip) } };
  if (text.includes('/')) return parseNetwork(text);
  // "@example.com" and "example.com." are how people write domains.
  const domain = parseMailDomain(text.replace(/^@/, '').replace(/\.$/, ''));
  if (domain.ok && domain.domain.ascii.split('.').length > LABELS_MAX)
    return { ok: false, message: `has more than ${LABELS_MAX} labels; list a parent domain` };
  if (domain.ok) return { ok: true, entry: { kind: 'domain', match, value: domain.domain.ascii } };
  const below = text.startsWith('*.') ? parseMailDomain(text.slice(2)) : null;
  if (below?.ok)
    return { ok: false, message: `needs no star: ${below.domain.ascii} covers every name below it too` };
  return { ok: false, message: NEITHER };
}

/** A host, or a domain that covers every host in it. */
function parseMailServer(text: string): ListValueResult {
  const host = parseMailDomain(text.replace(/\.$/, ''));
  if (!host.ok || host.domain.ascii.startsWith('['))
    return { ok: false, message: 'is not the name of a mail server, such as mx1.example.net' };
  const value = host.domain.ascii;
  if (value.split('.').length > LABELS_MAX)
    return { ok: false, message: `has more than ${LABELS_MAX} labels; list a parent domain` };
  return { ok: true, entry: { kind: 'domain', match: 'mx', value } };
}

function parseNetwork(text: string): ListValueResult {
  const parsed = parseIpNetwork(text);
  if (!parsed.ok) return { ok: false, message: NEITHER };
  const { text: value, first } = parsed.network;
  const length = Number(value.split('/')[1]);
  const version = first.length === 8 ? 4 : 6;
  if (ipDigits(text.split('/')[0]?.trim() ?? '') !== first)
    return { ok: false, message: `has bits beyond its length; write ${value}` };
  if (length < SHORTEST[version])
    return { ok: false, message: `is too wide; IPv${version} networks start at /${SHORTEST[version]}` };
  return { ok: true, entry: { kind: 'network', match: 'exact', value } };
}
