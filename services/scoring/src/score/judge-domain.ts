import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import type { TableHit } from '@verdict/datasets/domain-table.js';
import { isConfirmed, isVerified } from '@verdict/datasets/evidence.js';
import { parse } from 'tldts';
import { findSelfOrParent } from '../names/find-self-or-parent.js';
import { hasRiskyEnding, isPaidSuffix, isReservedName } from '../names/special-names.js';
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
}

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
  const typo = findTypo(domain, suffixExists);
  // Lists of free providers carry mistyped names of the big ones; those that are certain were taken care of above.
  const free = typo === undefined && datasets.freeProviders.has(domain);
  const homograph = domain === unicodeDomain ? undefined : findHomograph(unicodeDomain);
  const listed = datasets.disposable.find(domain);
  // Aggregate lists are full of mistyped providers: without people's or a crawler's word, the typo is the better story.
  const disposable =
    listed !== undefined && typo !== undefined && !isVerified(listed.evidence) ? undefined : listed;

  const hard: Finding[] = [];
  if (homograph !== undefined) hard.push(homographFinding(homograph));
  if (disposable !== undefined && isConfirmed(disposable.evidence))
    hard.push(disposableFinding(disposable, datasets));
  const soft: Finding[] = [];
  if (typo !== undefined) soft.push(typoFinding(typo));
  if (!free && disposable === undefined && suffix.isPrivate === true) {
    const { publicSuffix } = suffix;
    const givenAway = publicSuffix !== null && publicSuffix !== domain && !isPaidSuffix(publicSuffix);
    if (givenAway)
      soft.push(createFinding('FREE_SUBDOMAIN', `The domain is a free sub-domain under ${publicSuffix}`));
  }
  if (!free && disposable === undefined && hasRiskyEnding(domain)) soft.push(riskyEndingFinding(domain));
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
  };
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

function riskyEndingFinding(domain: string): Finding {
  const ending = domain.slice(domain.lastIndexOf('.'));
  return createFinding('RISKY_TLD', `The ending ${ending} is often used for throw-away domains`);
}
