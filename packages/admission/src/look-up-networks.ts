import type { IpNetwork } from '@verdict/contracts/ip-network.js';
import { parseIp } from '@verdict/domain/address/parse-ip.js';
import type { CompiledPolicy } from '@verdict/domain/policy/compile-policy.js';
import { networkText } from '@verdict/domain/policy/policy-network.js';

/** The networks of IPs by the data of today, in their order. */
export type LookUp = (ips: readonly string[]) => Promise<readonly IpNetwork[]>;

interface Located {
  /** Empty where none was sent, null where it is not kept whole. */
  readonly ip: string | null;
  /** As networkText writes it; null where it was not looked up. */
  readonly ip_network: string | null;
}

/**
 * Adds the networks that rules ask about to checks that were stored without them, in one question. A network that was
 * stored stays: it is the one that the check was judged by.
 */
export async function lookUpNetworks<Check extends Located>(
  checks: readonly Check[],
  policy: Pick<CompiledPolicy, 'readsNetwork'>,
  lookUp: LookUp,
): Promise<Check[]> {
  const open = policy.readsNetwork ? checks.filter((check) => check.ip_network === null) : [];
  const ips = [...new Set(open.flatMap(({ ip }) => canonicalOf(ip) ?? []))];
  if (ips.length === 0) return [...checks];
  const networks = await lookUp(ips);
  const texts = new Map(ips.map((ip, i) => [ip, networks[i] && networkText(networks[i])]));
  return checks.map((check) => {
    const found = check.ip_network === null && texts.get(canonicalOf(check.ip) ?? '');
    return typeof found === 'string' ? { ...check, ip_network: found } : check;
  });
}

function canonicalOf(ip: string | null): string | null {
  const parsed = ip === null ? null : parseIp(ip);
  return parsed?.ok ? parsed.ip.canonical : null;
}
