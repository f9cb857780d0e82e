import type { IpNetwork } from '@verdict/contracts/ip-network.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';
import { wantsIpNetworks } from '@verdict/redis-store/wants-ip-networks.js';
import type { ScoringClient } from '@verdict/scoring-client/scoring-client.js';

/** The network of each IP, null where none was sent; undefined where nothing is said about networks. */
export type IpNetworksOf = (
  accountId: string,
  ips: readonly string[],
) => Promise<readonly (IpNetwork | null)[] | undefined>;

/** Never rejects: an answer without networks is better than none. */
export function createIpNetworks(
  store: AccountStore,
  scoring: Pick<ScoringClient, 'ips'>,
  onFailure: () => void,
): IpNetworksOf {
  return async (accountId, ips) => {
    const sent = ips.filter((ip) => ip !== '');
    if (sent.length === 0) return undefined;
    try {
      const [wanted, { networks }] = await Promise.all([
        wantsIpNetworks(store, accountId),
        scoring.ips({ ips: sent }),
      ]);
      if (!wanted) return undefined;
      const found = networks[Symbol.iterator]();
      return ips.map((ip) => (ip === '' ? null : (found.next().value ?? null)));
    } catch {
      onFailure();
      return undefined;
    }
  };
}
