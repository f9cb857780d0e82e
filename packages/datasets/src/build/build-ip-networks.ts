import { IP_KINDS, type IpKind } from '@verdict/contracts/ip-network.js';
import { parseIpNetwork } from '@verdict/domain/address/ip-network.js';
import { ipRange } from '@verdict/domain/address/ip-range.js';
import { RESERVED_NETWORKS } from '../reserved-networks.js';
import { networkIn } from '../sources/network-in.js';

/** The networks of one source, as published. */
export interface MarkedNames {
  readonly kind: IpKind;
  readonly names: readonly string[];
}

interface Edge {
  readonly at: bigint;
  readonly rank: number;
  readonly change: 1 | -1;
}

/** Ranks before every kind, so that reserved addresses have none. */
const RESERVED = 0;

/**
 * Networks that do not overlap, each with its kind: relays before Tor, VPNs and hosting, since lists of VPNs contain the
 * relays. Throws when there are no relays to subtract, which would call all their users VPN users.
 */
export function buildIpNetworks(marked: readonly MarkedNames[]): string[] {
  if (marked.length === 0) return [];
  const edges = { 4: [] as Edge[], 6: [] as Edge[] };
  const add = (name: string, rank: number) => {
    // A range is what a build has left of a network.
    const [from = '', to = from] = name.split('-', 2);
    const [lowest, highest] = [parseIpNetwork(from), parseIpNetwork(to)];
    if (!lowest.ok || !highest.ok) return;
    const { first } = lowest.network;
    const { last } = highest.network;
    const own = edges[first.length === 8 ? 4 : 6];
    own.push({ at: BigInt(`0x${first}`), rank, change: 1 });
    own.push({ at: BigInt(`0x${last}`) + 1n, rank, change: -1 });
  };
  for (const network of RESERVED_NETWORKS) add(network, RESERVED);
  for (const { kind, names } of marked)
    for (const name of names) add(networkIn(name), IP_KINDS.indexOf(kind) + 1);
  const has = (kind: IpKind) => [...edges[4], ...edges[6]].some(({ rank }) => IP_KINDS[rank - 1] === kind);
  if ((has('vpn') || has('hosting')) && !has('relay'))
    throw new Error('ip networks: no private relay is known, so relays would be called VPNs');
  return [...linesOf(edges[4], 32), ...linesOf(edges[6], 128)];
}

function linesOf(edges: readonly Edge[], bits: 32 | 128): string[] {
  const lines: string[] = [];
  const open = [0, ...IP_KINDS].map(() => 0);
  let from = 0n;
  let rank = -1;
  const sorted = edges.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  sorted.forEach(({ at, rank: changed, change }, position) => {
    open[changed] = (open[changed] ?? 0) + change;
    if (sorted[position + 1]?.at === at) return;
    const next = open.findIndex((count) => count > 0);
    if (next === rank) return;
    const kind = IP_KINDS[rank - 1];
    if (kind !== undefined) lines.push(`${ipRange(from, at, bits)} ${kind}`);
    from = at;
    rank = next;
  });
  return lines;
}
