import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface IpAddress {
  /** As sent, without surrounding white space. */
  readonly text: string;
  readonly version: 4 | 6;
  /** Dotted decimal, or the shortest lower-case form of RFC 5952. */
  readonly canonical: string;
}

export type IpResult = { ok: true; ip: IpAddress } | { ok: false; message: string };

/** Longest textual form: eight groups whose last two are written as IPv4. */
const TEXT_LENGTH_MAX = 45;

export function parseIp(input: string): IpResult {
  const text = input.trim();
  if (text === '') return refuse('an IP address is empty');
  if (text.includes('%')) return refuse('an IP address with a zone id means something only on one machine');
  if (text.length > TEXT_LENGTH_MAX) return refuse('not an IPv4 or IPv6 address');
  if (text.includes(':')) return parseIpv6(text);
  // Octal, hexadecimal and short forms are read differently by different software, so only four decimals will do.
  if (!isIPv4(text)) return refuse('not an IPv4 or IPv6 address');
  return { ok: true, ip: { text, version: 4, canonical: text } };
}

function parseIpv6(text: string): IpResult {
  const lastColon = text.lastIndexOf(':');
  const tail = text.slice(lastColon + 1);
  if (tail.includes('.') && !isIPv4(tail)) {
    return refuse('not an IPv4 or IPv6 address');
  }
  if (text.startsWith('[') || (text.includes('.') && !tail.includes('.'))) {
    return refuse('send the IP address without brackets and port');
  }
  if (!isIPv6(text)) return refuse('not an IPv4 or IPv6 address');
  return { ok: true, ip: { text, version: 6, canonical: ipaddr.IPv6.parse(text).toRFC5952String() } };
}

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message };
}
