import type { ScoringClient } from '@verdict/scoring-client/scoring-client.js';

/** The kind of network of each IP, '' for none; undefined where no IP was sent or scoring cannot answer. */
export type NetworkKindsOf = (ips: readonly string[]) => Promise<readonly (string | undefined)[]>;

/** Never rejects: a rule about a network that is not known does not match. */
export function createNetworkKinds(
  scoring: Pick<ScoringClient, 'ips'>,
  onFailure: () => void,
): NetworkKindsOf {
  return async (ips) => {
    const sent = ips.filter((ip) => ip !== '');
    if (sent.length === 0) return [];
    const reply = await scoring.ips({ ips: sent }).catch(() => null);
    if (!reply) {
      onFailure();
      return [];
    }
    const found = reply.networks[Symbol.iterator]();
    return ips.map((ip) => (ip === '' ? undefined : (found.next().value?.kind ?? '')));
  };
}
