import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { isConfirmed } from '@verdict/datasets/evidence.js';
import { findSelfOrParent } from '@verdict/datasets/find-self-or-parent.js';
import { isSharedHost } from '@verdict/datasets/mail-hosts.js';
import type { MailOutcome } from '../dns/mail-outcome.js';

/** A mail server of a throw-away service: how it is known to be one, and its name or address. */
export interface Front {
  readonly known: 'certain' | 'reported' | 'address';
  readonly server: string;
}

/**
 * Whether a domain that no list knows is a front: its mail goes to a server of a throw-away service. The name of the
 * server decides; where it is the front's own name, its address does.
 */
export function findFront(
  domain: string,
  outcome: MailOutcome | undefined,
  datasets: DatasetSnapshot,
): Front | undefined {
  if (outcome?.kind !== 'mx') return undefined;
  let weaker: Front | undefined;
  for (const server of outcome.hosts) {
    if (server === domain || server.endsWith(`.${domain}`) || isSharedHost(server)) continue;
    const known = weighHost(server, datasets);
    if (known === 'certain') return { known, server };
    if (known === 'reported') weaker ??= { known, server };
  }
  if (weaker !== undefined) return weaker;
  const address = outcome.addresses.find((candidate) => datasets.disposableMailAddresses.has(candidate));
  return address === undefined ? undefined : { known: 'address', server: address };
}

function weighHost(host: string, datasets: DatasetSnapshot): 'certain' | 'reported' | undefined {
  const listed = findSelfOrParent(host, datasets.disposableMailHosts);
  const tier = listed === undefined ? undefined : datasets.disposableMailHosts.get(listed);
  if (tier === 'fleet') return 'certain';
  const hit = datasets.disposable.find(host);
  if (hit !== undefined && isConfirmed(hit.evidence)) return 'certain';
  return tier === 'reported' || hit !== undefined ? 'reported' : undefined;
}
