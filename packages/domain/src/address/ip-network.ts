import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseIp } from './parse-ip.js';

/** Addresses that a network holds. Digits of one length compare like numbers: 8 for IPv4, 32 for IPv6. */
export interface IpNetwork {
  /** `203.0.113.0/24`, its host bits cleared. */
  readonly text: string;
  readonly first: string;
  readonly last: string;
}

export type IpNetworkResult = { ok: true; network: IpNetwork } | { ok: false; message: string };

const NEITHER = 'is neither an IP address nor a network such as 203.0.113.0/24';

/** An address alone is a network of one. */
export function parseIpNetwork(input: string): IpNetworkResult {
  const [address = '', length, ...more] = input.trim().split('/', 3);
  const ip = parseIp(address);
  if (!ip.ok || more.length > 0) return { ok: false, message: NEITHER };
  const parsed = ipaddr.process(ip.ip.canonical);
  // ::ffff:10.0.0.0/104 is what IPv4 calls 10.0.0.0/8.
  const mapped = ip.ip.version === 6 && parsed.kind() === 'ipv4';
  const bits = parsed.kind() === 'ipv4' ? 32 : 128;
  const written = length === undefined ? bits : lengthOf(length) - (mapped ? 96 : 0);
  if (!(written >= 0 && written <= bits)) return { ok: false, message: NEITHER };
  const bytes = parsed.toByteArray();
  const first = bytes.map((byte, i) => byte & maskOf(written, i));
  const last = bytes.map((byte, i) => byte | (~maskOf(written, i) & 0xff));
  const text = `${ipaddr.fromByteArray(first).toString()}/${written}`;
  return { ok: true, network: { text, first: hex(first), last: hex(last) } };
}

/** An address as the digits of a network are written; '' for text that is not an address, which no network contains. */
export function ipDigits(text: string): string {
  // Most checks carry no IP, and the library says that text is not one by an error with its stack: 80 us.
  if (text === '') return '';
  if (isIPv4(text)) return ipv4Digits(text);
  return ipaddr.isValid(text) ? hex(ipaddr.process(text).toByteArray()) : '';
}

/** Four decimals without leading zeros: ipaddr.js would parse them again, by way of arrays. */
function ipv4Digits(text: string): string {
  let value = 0;
  let part = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 46) {
      value = value * 256 + part;
      part = 0;
    } else part = part * 10 + code - 48;
  }
  return (value * 256 + part).toString(16).padStart(8, '0');
}

const lengthOf = (text: string): number => (/^\d{1,3}$/.test(text) ? Number(text) : Number.NaN);

const maskOf = (length: number, byte: number): number => {
  const bits = Math.min(8, Math.max(0, length - byte * 8));
  return (0xff << (8 - bits)) & 0xff;
};

const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex');
