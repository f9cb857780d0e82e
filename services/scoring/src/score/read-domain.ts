import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import type { TableHit } from '@verdict/datasets/domain-table.js';
import { findSelfOrParent } from '@verdict/datasets/find-self-or-parent.js';
import { parse } from 'tldts';
import { findHomograph } from '../names/find-homograph.js';
import { findGivenAwaySuffix, isReservedName, isUnreadDomain } from '../names/special-names.js';
import { findTypo } from '../typos/find-typo.js';

/** Everything about a domain that needs no network and that more than one signal, or a flag, reads. */
export interface DomainFacts {
  readonly domain: string;
  readonly datasets: DatasetSnapshot;
  /** `other`: none of the kinds that settle the question; only then are the facts below looked for. */
  readonly kind: 'literal' | 'reserved' | 'provider' | 'relay' | 'other';
  /** `ask`: DNS decides; `known`: mail servers are certain; `never`: there can be none. */
  readonly mail: 'ask' | 'known' | 'never';
  readonly free: boolean;
  /** The provider that was probably meant, and the one that foreign letters imitate. */
  readonly typo: string | undefined;
  readonly homograph: string | undefined;
  readonly disposable: TableHit | undefined;
  readonly suffix: Suffix | undefined;
  readonly suffixExists: boolean;
  /** The domain itself says that nobody reads its mail. */
  readonly noReply: boolean;
}

export type Suffix = ReturnType<typeof parse>;

// The domain comes from our own parser, so tldts need not look for schemes, ports and IPs again.
const suffixOptions = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
};

export function readDomain(domain: string, unicodeDomain: string, datasets: DatasetSnapshot): DomainFacts {
  const plain = { domain, datasets, ...nothingFound };
  if (domain.startsWith('[')) return { ...plain, kind: 'literal', mail: 'never' };
  if (isReservedName(domain)) return { ...plain, kind: 'reserved', mail: 'never' };
  if (datasets.knownMail.has(domain)) return { ...plain, kind: 'provider', mail: 'known', free: true };
  if (findSelfOrParent(domain, datasets.relays) !== undefined)
    return { ...plain, kind: 'relay', mail: datasets.relays.has(domain) ? 'known' : 'ask' };

  const suffix = parse(domain, suffixOptions);
  const suffixExists = suffix.isIcann === true || suffix.isPrivate === true;
  const listed = datasets.disposable.find(domain);
  const typo = findTypo(domain, suffixExists, listed !== undefined);
  // Every list carries mistyped providers (gmial.com stands in many honest commits): unless a crawler has just seen the
  // name at a throw-away service, the typo is the better story.
  const slipped = typo !== undefined && listed !== undefined && !datasets.freshlyCrawled.has(listed.name);
  // A listing of a whole suffix under which anybody gets names says nothing about one of them.
  const wholeSuffix = listed !== undefined && listed.name === findGivenAwaySuffix(domain);
  return {
    ...plain,
    kind: 'other',
    mail: 'ask',
    // Lists of free providers carry mistyped names of the big ones; those that are certain were taken care of above.
    free: typo === undefined && datasets.freeProviders.has(domain),
    typo,
    homograph: domain === unicodeDomain ? undefined : findHomograph(unicodeDomain),
    disposable: slipped || wholeSuffix ? undefined : listed,
    suffix,
    suffixExists,
    noReply: isUnreadDomain(domain),
  };
}

const nothingFound = {
  free: false,
  typo: undefined,
  homograph: undefined,
  disposable: undefined,
  suffix: undefined,
  suffixExists: true,
  noReply: false,
};
