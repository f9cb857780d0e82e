import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { isConfirmed } from '@verdict/datasets/evidence.js';
import type { MailOutcome } from '../dns/mail-outcome.js';
import { findSelfOrParent } from '../names/find-self-or-parent.js';
import { findMailboxHost, isSharedHost } from '../names/mail-hosts.js';
import { createFinding, type Finding } from './finding.js';
import { findings } from './findings.js';
import type { DomainFacts } from './judge-domain.js';

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

  const wrong = outcome === undefined ? undefined : findHardFault(outcome);
  if (wrong !== undefined) hard.push(wrong);
  const mxUnknown = outcome?.kind === 'unknown';
  if (mxUnknown && !facts.suffixExists) soft.unshift(findings.unknownTld);
  return {
    mxValid: facts.mail === 'known' || outcome?.kind === 'mx',
    mxUnknown,
    disposable: facts.disposable !== undefined || front,
    hard,
    soft,
  };
}

function findHardFault(outcome: MailOutcome): Finding | undefined {
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
      return undefined;
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
