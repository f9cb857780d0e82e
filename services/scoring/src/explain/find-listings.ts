import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { findSelfOrParent } from '@verdict/datasets/find-self-or-parent.js';
import type { DatasetName } from '@verdict/datasets/manifest.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';

/** An entry of a list that applies to an address, and who listed it. */
export interface Listing {
  readonly list: DatasetName;
  readonly entry: string;
  readonly source: string;
  readonly tier: string | null;
}

/** Everything that the lists themselves say about an address, whether or not a rule made use of it. */
export function findListings({ domain, local }: EmailAddress, data: DatasetSnapshot): Listing[] {
  const found: Listing[] = [];
  for (const { name, sources } of data.disposable.listings(domain)) {
    data.disposableSources.forEach(({ name: source, tier }, bit) => {
      if ((sources >>> bit) & 1) found.push({ list: 'disposable_domains', entry: name, source, tier });
    });
  }
  const add = (list: DatasetName, source: string, entry: string | undefined) => {
    if (entry !== undefined) found.push({ list, entry, source, tier: null });
  };
  add('known_mail', 'hand-lists', data.knownMail.has(domain) ? domain : undefined);
  add('relays', 'hand-lists', findSelfOrParent(domain, data.relays));
  add('sms_gateways', 'hand-lists', data.smsGateways.has(domain) ? domain : undefined);
  // These lists do not record their sources: every one counts alike.
  add('free_providers', 'any', data.freeProviders.has(domain) ? domain : undefined);
  const role = local.toLowerCase().replace(/\+.*$/, '').replace(/[-_.]/g, '');
  add('role_prefixes', 'any', data.roles.has(role) ? role : undefined);
  return found;
}
