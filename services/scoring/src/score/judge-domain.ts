import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import type { TableHit } from '@verdict/datasets/domain-table.js';
import { isConfirmed } from '@verdict/datasets/evidence.js';
import { findSelfOrParent } from '@verdict/datasets/find-self-or-parent.js';
import { parse } from 'tldts';
import { findGivenAwaySuffix, isPaidSuffix, isReservedName, isUnreadDomain } from '../names/special-names.js';
import { findHomograph } from './find-homograph.js';
import { findTypo } from './find-typo.js';
import { createFinding, type Finding } from './finding.js';
import { findings } from './findings.js';

/** Everything about a domain that needs no network: the same for every mailbox in it. */
export interface DomainFacts {
  readonly domain: string;
  /** `ask`: DNS decides; `known`: mail servers are certain; `never`: there can be none. */
  readonly mail: 'ask' | 'known' | 'never';
  readonly free: boolean;
  readonly relay: boolean;
  readonly suggestion: string | undefined;
  readonly disposable: TableHit | undefined;
  readonly hard: readonly Finding[];
  readonly soft: readonly Finding[];
  readonly suffixExists: boolean;
  /** The domain itself says that nobody reads its mail. */
  readonly noReply: boolean;
  /** The ending of the domain counts against it, unless its mail turns out to be at a paid mailbox host. */
  readonly riskyEnding: Finding | undefined;
}

type Suffix = ReturnType<typeof parse>;

// The domain comes from our own parser, so tldts need not look for schemes, ports and IPs again.
const suffixOptions = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
};

export function judgeDomain(domain: string, unicodeDomain: string, datasets: DatasetSnapshot): DomainFacts {
  if (domain.startsWith('[')) return plainFacts(domain, 'never', [findings.literal]);
  if (isReservedName(domain)) return plainFacts(domain, 'never', [findings.reserved]);
  if (datasets.knownMail.has(domain))
    return { ...plainFacts(domain, 'known', []), free: true, soft: [findings.free] };
  if (findSelfOrParent(domain, datasets.relays) !== undefined) {
    const mail = datasets.relays.has(domain) ? 'known' : 'ask';
    return { ...plainFacts(domain, mail, []), relay: true, soft: [findings.relay] };
  }

  const suffix = parse(domain, suffixOptions);
  const suffixExists = suffix.isIcann === true || suffix.isPrivate === true;
  const listed = datasets.disposable.find(domain);
  const typo = findTypo(domain, suffixExists, listed !== undefined);
  // Lists of free providers carry mistyped names of the big ones; those that are certain were taken care of above.
  const free = typo === undefined && datasets.freeProviders.has(domain);
  const homograph = domain === unicodeDomain ? undefined : findHomograph(unicodeDomain);
  // Every list carries mistyped providers (gmial.com stands in many honest commits): unless a crawler has just seen the
  // name at a throw-away service, the typo is the better story.
  const slipped = typo !== undefined && listed !== undefined && !datasets.freshlyCrawled.has(listed.name);
  // A listing of a whole suffix under which anybody gets names says nothing about one of them.
  const wholeSuffix = listed !== undefined && listed.name === findGivenAwaySuffix(domain);
  const disposable = slipped || wholeSuffix ? undefined : listed;

  const hard: Finding[] = [];
  if (homograph !== undefined) hard.push(homographFinding(homograph));
  if (disposable !== undefined && isConfirmed(disposable.evidence))
    hard.push(disposableFinding(disposable, datasets));
  const soft: Finding[] = [];
  if (typo !== undefined) soft.push(typoFinding(typo));
  const unlisted = !free && disposable === undefined;
  const givenAway = unlisted ? findSuffixGivenAway(domain, suffix) : undefined;
  if (givenAway !== undefined)
    soft.push(createFinding('FREE_SUBDOMAIN', `The domain is a free sub-domain under ${givenAway}`));
  const noReply = isUnreadDomain(domain);
  if (noReply) soft.push(findings.noReplyDomain);
  if (free) soft.push(findings.free);
  return {
    domain,
    mail: 'ask',
    free,
    relay: false,
    suggestion: typo ?? homograph,
    disposable,
    hard,
    soft,
    suffixExists,
    noReply,
    riskyEnding: unlisted && typo === undefined ? findRiskyEnding(suffix, datasets) : undefined,
  };
}

function findSuffixGivenAway(domain: string, { isPrivate, publicSuffix }: Suffix): string | undefined {
  if (isPrivate !== true) return findGivenAwaySuffix(domain);
  return publicSuffix === null || publicSuffix === domain || isPaidSuffix(publicSuffix)
    ? undefined
    : publicSuffix;
}

/** Below challenge by itself, since honest shops live at these endings too; unless a web ranking says that this is none. */
function findRiskyEnding({ publicSuffix, domain }: Suffix, datasets: DatasetSnapshot): Finding | undefined {
  if (publicSuffix === null || domain === null || !datasets.riskyEndings.has(publicSuffix)) return undefined;
  const { establishedSites } = datasets;
  if (establishedSites === undefined)
    return createFinding('RISKY_ENDING', `The ending .${publicSuffix} is often used for throw-away domains`);
  if (establishedSites.has(domain)) return undefined;
  return createFinding(
    'UNESTABLISHED_RISKY_ENDING',
    `The ending .${publicSuffix} is often used for throw-away domains, and no known site is at this one`,
  );
}

function plainFacts(domain: string, mail: DomainFacts['mail'], hard: readonly Finding[]): DomainFacts {
  return {
    domain,
    mail,
    free: false,
    relay: false,
    suggestion: undefined,
    disposable: undefined,
    hard,
    soft: [],
    suffixExists: true,
    noReply: false,
    riskyEnding: undefined,
  };
}

function disposableFinding(hit: TableHit, datasets: DatasetSnapshot): Finding {
  const operator = datasets.operators[hit.operator];
  if (operator === undefined) return findings.disposable;
  return createFinding('DISPOSABLE_DOMAIN', `Disposable email domain detected (operated by ${operator})`);
}

function homographFinding(provider: string): Finding {
  return createFinding('HOMOGRAPH', `The domain uses look-alike characters to imitate ${provider}`);
}

function typoFinding(meant: string): Finding {
  return createFinding('LIKELY_TYPO', `The domain looks mistyped: did you mean ${meant}?`);
}
