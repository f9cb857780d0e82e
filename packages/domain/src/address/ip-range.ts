import ipaddr from 'ipaddr.js';

/** The addresses from one up to another, that one left out: as a network where they are one, else as `first-last`. */
export function ipRange(from: bigint, to: bigint, bits: 32 | 128): string {
  const count = to - from;
  const isNetwork = (count & (count - 1n)) === 0n && from % count === 0n;
  if (!isNetwork) return `${textOf(from, bits)}-${textOf(to - 1n, bits)}`;
  return `${textOf(from, bits)}/${bits + 1 - count.toString(2).length}`;
}

function textOf(address: bigint, bits: 32 | 128): string {
  const bytes = Buffer.from(address.toString(16).padStart(bits / 4, '0'), 'hex');
  return ipaddr.fromByteArray([...bytes]).toString();
}
