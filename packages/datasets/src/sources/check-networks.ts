import type { IpKind } from '@verdict/contracts/ip-network.js';
import { parseIpNetwork } from '@verdict/domain/address/ip-network.js';
import { networkIn } from './network-in.js';

const MALFORMED_MAX = 0.02;
const IPV4_ADDRESSES = 2 ** 32;
/** Shares of all IPv4 addresses. In August 2026 lists covered 0.002 % (relays), 0.07 % (VPNs) and 8.8 % (hosting). */
const COVERED_MAX: Record<IpKind, number> = { tor: 0.0001, relay: 0.001, vpn: 0.005, hosting: 0.2 };
/** No list has an IPv6 network that is wider, and one typing error in its length would cover a continent. */
const IPV6_LENGTH_MIN = 16;

/** Why a list of networks must not be used, or undefined. */
export function checkNetworks(kind: IpKind, lines: readonly string[]): string | undefined {
  let malformed = 0;
  let covered = 0;
  for (const line of lines) {
    const parsed = parseIpNetwork(networkIn(line));
    if (!parsed.ok) {
      malformed++;
      continue;
    }
    const { text, first, last } = parsed.network;
    if (first.length === 8) covered += Number.parseInt(last, 16) - Number.parseInt(first, 16) + 1;
    else if (Number(text.split('/')[1]) < IPV6_LENGTH_MIN) return `it lists ${text}, which is too wide`;
  }
  if (malformed > lines.length * MALFORMED_MAX)
    return `${malformed} of ${lines.length} entries are not networks`;
  if (covered > COVERED_MAX[kind] * IPV4_ADDRESSES)
    return `it covers ${covered} IPv4 addresses, more than ${COVERED_MAX[kind] * 100} % of all`;
  return undefined;
}
