import { parseIp } from './parse-ip.js';

export type LiteralResult = { ok: true; literal: string } | { ok: false; message: string };

const IPV6_TAG = 'ipv6:';

/** `[192.0.2.1]` or `[IPv6:2001:db8::1]` of RFC 5321 section 4.1.3; no other tag has ever been registered. */
export function parseAddressLiteral(text: string): LiteralResult {
  if (!text.endsWith(']')) return { ok: false, message: 'the address literal is not closed with ]' };
  const inside = text.slice(1, -1).toLowerCase();
  if (inside !== inside.trim()) return { ok: false, message: 'the address literal contains white space' };
  const tagged = inside.startsWith(IPV6_TAG);
  const ip = parseIp(tagged ? inside.slice(IPV6_TAG.length) : inside);
  if (!ip.ok || ip.ip.version !== (tagged ? 6 : 4)) {
    return { ok: false, message: 'the address literal holds no IPv4 address and no IPv6: address' };
  }
  return { ok: true, literal: tagged ? `[${IPV6_TAG}${ip.ip.canonical}]` : `[${ip.ip.canonical}]` };
}
