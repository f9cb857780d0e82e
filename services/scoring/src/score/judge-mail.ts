import type { DatasetSnapshot } from '../datasets/dataset-snapshot.js';
import { isConfirmed } from '../datasets/evidence.js';
import type { MailOutcome } from '../dns/mail-outcome.js';
import { createFinding, type Finding } from './finding.js';
import { findings } from './findings.js';
import type { DomainFacts } from './judge-domain.js';
import { findMailboxHost, isSharedHost } from './mail-hosts.js';
import { findSelfOrParent } from './parents.js';

export interface MailFacts {
  readonly mxValid: boolean;
  readonly mxUnknown: boolean;
  /** The domain is on a list, or its mail servers belong to a disposable service. */
  readonly disposable: boolean;
  readonly hard: readonly Finding[];
  readonly soft: readonly Finding[];
}

/** A domain's facts together with where its mail goes. `outcome` is undefined where DNS need not be asked. */
export function judgeMail(
  facts: DomainFacts,
  outcome: MailOutcome | undefined,
  datasets: DatasetSnapshot,
): MailFacts {
  const hard = [...facts.hard];
  const soft = [...facts.soft];
  const hosts = outcome?.kind === 'mx' ? outcome.hosts : [];
  const singleSource = facts.disposable !== undefined && !isConfirmed(facts.disposable.evidence);
  if (singleSource) hard.push(singleSourceFinding(hosts));
  const front =
    facts.disposable === undefined && !facts.relay && isDisposableFront(facts.domain, hosts, datasets);
  if (front) hard.push(disposableMxFinding(hosts, datasets));

  const mailFinding = outcome === undefined ? undefined : findingOf(outcome);
  if (mailFinding?.hard === true) hard.push(mailFinding);
  else if (mailFinding !== undefined) {
    soft.push(mailFinding);
    if (!facts.suffixExists) soft.unshift(findings.unknownTld);
  }
  return {
    mxValid: facts.mail === 'known' || outcome?.kind === 'mx',
    mxUnknown: outcome?.kind === 'unknown',
    disposable: facts.disposable !== undefined || front,
    hard,
    soft,
  };
}

function findingOf(outcome: MailOutcome): Finding | undefined {
  switch (outcome.kind) {
    case 'mx':
      return outcome.routable ? undefined : findings.unroutable;
    case 'null_mx':
      return findings.nullMx;
    case 'implicit_mx':
      return findings.implicitMx;
    case 'no_mail':
      return findings.noMx;
    case 'not_found':
      return findings.notFound;
    case 'unknown':
      return findings.indeterminate;
  }
}

function singleSourceFinding(hosts: readonly string[]): Finding {
  const owner = findMailboxHost(hosts);
  if (owner === undefined) return findings.singleSource;
  return createFinding(
    'DISPOSABLE_DOMAIN_DISPUTED',
    `A single source calls the domain disposable, but its mail is hosted by ${owner}`,
  );
}

function isDisposableFront(domain: string, hosts: readonly string[], datasets: DatasetSnapshot): boolean {
  return hosts.some(
    (host) => host !== domain && !host.endsWith(`.${domain}`) && isDisposableHost(host, datasets),
  );
}

function disposableMxFinding(hosts: readonly string[], datasets: DatasetSnapshot): Finding {
  const host = hosts.find((candidate) => isDisposableHost(candidate, datasets)) ?? '';
  return createFinding(
    'DISPOSABLE_MX',
    `The mail of this domain is handled by a disposable service (${host})`,
  );
}

function isDisposableHost(host: string, datasets: DatasetSnapshot): boolean {
  if (isSharedHost(host)) return false;
  if (findSelfOrParent(host, datasets.disposableMailHosts) !== undefined) return true;
  const hit = datasets.disposable.find(host);
  return hit !== undefined && isConfirmed(hit.evidence);
}
