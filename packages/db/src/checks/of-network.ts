import { Prisma } from '../generated/client.js';
import { beginsWith } from './begins-with.js';

/** Subjects whose IP is in a network. The index finds the text that its IPs begin with, and inet decides among them. */
export function ofNetwork(network: string): Prisma.Sql {
  const beginning = beginningOf(network);
  const range = beginning === '' ? Prisma.empty : Prisma.sql`AND ${beginsWith(Prisma.sql`s.ip`, beginning)}`;
  return Prisma.sql`(s.ip IS NOT NULL ${range} AND s.ip::inet <<= ${network}::inet)`;
}

/** The network in which the IP of a subject `s` is grouped; null without one. */
export const GROUP_NETWORK = Prisma.sql`
  network(set_masklen(s.ip::inet, CASE family(s.ip::inet) WHEN 4 THEN 24 ELSE 48 END))::text`;

/** The beginning that the IPs of a network share, up to a separator; empty where they share none. */
function beginningOf(network: string): string {
  const [address = '', length = ''] = network.split('/');
  const [separator, partBits] = address.includes(':') ? [':', 16] : ['.', 8];
  const parts = address.split(separator).slice(0, Math.floor(Number(length) / partBits));
  // RFC 5952 leaves zeros out, so nothing from the first of them on is sure.
  const zero = separator === ':' ? parts.findIndex((part) => part === '' || part === '0') : -1;
  const sure = zero === -1 ? parts : parts.slice(0, zero);
  const isWhole = sure.length * partBits === (separator === ':' ? 128 : 32);
  return isWhole ? address : sure.map((part) => part + separator).join('');
}
