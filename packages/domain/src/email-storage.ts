import ipaddr from 'ipaddr.js';

/** How much of an address and an IP is kept: all, enough to recognise, or nothing. */
export const EMAIL_STORAGES = ['full', 'masked', 'hashed'] as const;
export type EmailStorage = (typeof EMAIL_STORAGES)[number];

/** The part of an address that may be stored. Every mode keeps the domain, because support asks about it. */
export function storedEmail(storage: EmailStorage, email: string): string | null {
  if (storage === 'full') return email;
  return storage === 'masked' ? `${[...email][0] ?? ''}***@${domainOfEmail(email)}` : null;
}

/** The part of an IP that may be stored: masked keeps the network (/24, /48), which shows where from but not who. */
export function storedIp(storage: EmailStorage, ip: string | null): string | null {
  if (ip === null || storage === 'hashed') return null;
  if (storage === 'full') return ip.includes(':') ? canonicalIpv6(ip) : ip;
  if (!ipaddr.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/24`).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/48`).toString();
}

/** A reason may quote the address or IP, as "is on your block list" does: it must not keep what the columns dropped. */
export function storedReasons(
  storage: EmailStorage,
  reasons: readonly string[],
  /** Every spelling of the address that a reason may quote. */
  emails: readonly string[],
  ip: string | null,
): readonly string[] {
  if (storage === 'full') return reasons;
  const spellings = emails.flatMap((email) => [email, email.toLowerCase()]);
  const secrets = [...new Set([...spellings, ip ?? ''])].filter((text) => text !== '');
  if (!reasons.some((reason) => secrets.some((secret) => reason.includes(secret)))) return reasons;
  return reasons.map((reason) =>
    secrets.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), reason),
  );
}

/** One spelling per IPv6 address, so that a search for any of its spellings finds it. */
const canonicalIpv6 = (ip: string): string =>
  ipaddr.IPv6.isValid(ip) ? ipaddr.IPv6.parse(ip).toRFC5952String() : ip;

const domainOfEmail = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();
