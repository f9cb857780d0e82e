import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { isConfirmed } from '@verdict/datasets/evidence.js';
import { findSelfOrParent } from '@verdict/datasets/find-self-or-parent.js';
import { isSharedHost } from '@verdict/datasets/mail-hosts.js';
import type { MailOutcome } from '../dns/mail-outcome.js';
import { createFinding, type Finding } from './finding.js';

/**
 * Whether a domain that no list knows is a front: its mail goes to a server of a throw-away service. The name of the
 * server decides; where it is the front's own name, its address does.
 */
export function findFront(
  domain: string,
  outcome: MailOutcome | undefined,
  datasets: DatasetSnapshot,
): Finding | undefined {
  if (outcome?.kind !== 'mx') return undefined;
  let weaker: Finding | undefined;
  for (const host of outcome.hosts) {
    if (host === domain || host.endsWith(`.${domain}`) || isSharedHost(host)) continue;
    const known = weighHost(host, datasets);
    if (known === 'certain')
      return createFinding(
        'DISPOSABLE_MX',
        `The mail of this domain is handled by a disposable service (${host})`,
      );
    if (known === 'reported')
      weaker ??= createFinding(
        'DISPOSABLE_MX_SINGLE_SOURCE',
        `A single source says that the mail server of this domain (${host}) belongs to a disposable service`,
      );
  }
  if (weaker !== undefined) return weaker;
  const address = outcome.addresses.find((candidate) => datasets.disposableMailAddresses.has(candidate));
  if (address === undefined) return undefined;
  return createFinding(
    'DISPOSABLE_MX_SINGLE_SOURCE',
    `The mail server of this domain is at an address (${address}) that many disposable domains share`,
  );
}

function weighHost(host: string, datasets: DatasetSnapshot): 'certain' | 'reported' | undefined {
  const listed = findSelfOrParent(host, datasets.disposableMailHosts);
  const tier = listed === undefined ? undefined : datasets.disposableMailHosts.get(listed);
  if (tier === 'fleet') return 'certain';
  const hit = datasets.disposable.find(host);
  if (hit !== undefined && isConfirmed(hit.evidence)) return 'certain';
  return tier === 'reported' || hit !== undefined ? 'reported' : undefined;
}
