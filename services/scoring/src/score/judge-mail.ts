import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { isConfirmed } from '@verdict/datasets/evidence.js';
import { findMailboxHost } from '@verdict/datasets/mail-hosts.js';
import type { MailOutcome } from '../dns/mail-outcome.js';
import { findFront } from './find-front.js';
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
    facts.disposable === undefined && !facts.relay ? findFront(facts.domain, outcome, datasets) : undefined;
  if (front !== undefined) hard.push(front);
  if (facts.riskyEnding !== undefined && findMailboxHost(hosts) === undefined) soft.push(facts.riskyEnding);

  const wrong = outcome === undefined ? undefined : findHardFault(outcome);
  if (wrong !== undefined) hard.push(wrong);
  const mxUnknown = outcome?.kind === 'unknown';
  // A suggestion says the same and more.
  if (mxUnknown && !facts.suffixExists && facts.suggestion === undefined) soft.unshift(findings.unknownTld);
  return {
    mxValid: facts.mail === 'known' || outcome?.kind === 'mx',
    mxUnknown,
    disposable: facts.disposable !== undefined || front !== undefined,
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
