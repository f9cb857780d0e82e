import ipaddr from 'ipaddr.js';
import type { IpAddress } from './parse-ip.js';

/** The one spelling of a host: an IPv4 address that IPv6 maps is the IPv4 address. */
export function normalIp({ version, canonical }: IpAddress): string {
  if (version === 4) return canonical;
  const host = ipaddr.process(canonical);
  return host.kind() === 'ipv4' ? host.toString() : canonical;
}
