import { isIPv4 } from 'node:net';
import { parseIpNetwork } from './ip-network.js';
import { normalIp } from './normal-ip.js';
import { parseIp } from './parse-ip.js';

/** The network that an address usually shares with its neighbours: a /24 of IPv4, a /48 of IPv6; null for no address. */
export function networkAround(address: string): string | null {
  // Rules may ask about every check, so the usual address is not parsed.
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  const ip = parseIp(address);
  if (!ip.ok) return null;
  const host = normalIp(ip.ip);
  if (isIPv4(host)) return networkAround(host);
  const parsed = parseIpNetwork(`${host}/48`);
  return parsed.ok ? parsed.network.text : null;
}
