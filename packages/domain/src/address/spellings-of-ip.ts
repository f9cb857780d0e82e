import ipaddr from 'ipaddr.js';
import { normalIp } from './normal-ip.js';
import type { IpAddress } from './parse-ip.js';

/** Every spelling that a check of this host may have been stored with: as sent, or in the canonical form of its family. */
export function spellingsOfIp(ip: IpAddress): string[] {
  const host = normalIp(ip);
  const mapped = host.includes(':') ? [] : [`::ffff:${host}`, mappedForm(host)];
  return [...new Set([ip.text, ip.canonical, host, ...mapped])];
}

const mappedForm = (host: string): string => ipaddr.IPv4.parse(host).toIPv4MappedAddress().toRFC5952String();
