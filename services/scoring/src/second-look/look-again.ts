import type { SecondLookReply, SecondLookRequest } from '@verdict/contracts/scoring-api.js';
import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { mailOf } from '@verdict/domain/mail-servers.js';
import { mailAt } from '../dns/mail-outcome.js';
import { addUp } from '../score/add-up.js';
import type { Finding } from '../score/finding.js';
import { readDomain } from '../score/read-domain.js';
import { readMail } from '../score/read-mail.js';
import { disposableDomain } from '../signals/disposable-domain.js';
import { disposableDomainDisputed } from '../signals/disposable-domain-disputed.js';
import { disposableDomainSingleSource } from '../signals/disposable-domain-single-source.js';
import { disposableMx } from '../signals/disposable-mx.js';
import { disposableMxSingleSource } from '../signals/disposable-mx-single-source.js';
import type { Signal } from '../signals/signal.js';
import { signals } from '../signals/signals.js';

type Asked = SecondLookRequest['checks'][number];

/** The words of lists about a domain. */
const LISTED: readonly Signal[] = [disposableDomain, disposableDomainSingleSource, disposableDomainDisputed];
/** The words of its mail servers, the surest first; only domains that no list names are asked about. */
const FRONTS: readonly Signal[] = [disposableMx, disposableMxSingleSource];

/**
 * A stored check by the lists of now: the word of lists is replaced, every other finding stays as it was stored, so that
 * nothing but the lists can change the score. Null where they say what they said.
 */
export function lookAgain(
  { domain, codes, mx }: Asked,
  datasets: DatasetSnapshot,
): SecondLookReply['checks'][number] {
  const hosts = mailOf(mx ?? undefined)?.hosts ?? [];
  const facts = readMail(
    readDomain(domain, domain, datasets),
    hosts.length > 0 ? mailAt(...hosts) : undefined,
  );
  const reasonOf = (signal: Signal) => signal.ofDomain?.(facts);
  const listed = LISTED.find((signal) => reasonOf(signal) !== undefined);
  const before = LISTED.find(({ code }) => codes.includes(code));
  const frontBefore = FRONTS.find(({ code }) => codes.includes(code));
  const front = FRONTS.find((signal) => reasonOf(signal) !== undefined) ?? byAddress(frontBefore);
  if (listed === before && (listed !== undefined || front === frontBefore)) return null;
  const isFound = (signal: Signal): boolean => {
    if (LISTED.includes(signal)) return signal === listed;
    if (!FRONTS.includes(signal)) return codes.includes(signal.code);
    return listed === undefined && signal === front;
  };
  const found: Finding[] = signals
    .filter(isFound)
    .map((signal) => ({ signal, reason: reasonOf(signal) ?? '' }));
  const { score, factors } = addUp(found);
  return {
    risk_score: score,
    disposable_email: found.some(({ signal }) => signal.flag === 'disposable_email'),
    factors,
  };
}

/** A single source may have known the address of the server, which is not stored, so its word stays. */
const byAddress = (front: Signal | undefined): Signal | undefined =>
  front === disposableMxSingleSource ? front : undefined;
