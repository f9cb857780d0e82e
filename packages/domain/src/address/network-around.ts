import { isIPv4 } from 'node:net';
import { parseIpNetwork } from './ip-network.js';

/** The network that an address usually shares with its neighbours: a /24 of IPv4, a /48 of IPv6; null for no address. */
export function networkAround(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const parsed = parseIpNetwork(`${plain}/${isIPv4(plain) ? 24 : 48}`);
  return parsed.ok ? parsed.network.text : null;
}
