import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { LRUCache } from 'lru-cache';
import type { MailDirectory } from '../dns/mail-directory.js';
import type { MailOutcome } from '../dns/mail-outcome.js';
import type { CompleteVerdict } from './complete-verdict.js';
import { composeVerdict } from './compose-verdict.js';
import { type JudgedDomain, judgeDomain } from './judge-domain.js';
import { type DomainFacts, readDomain } from './read-domain.js';

/** Judges addresses with one snapshot of the data. */
export interface Scorer {
  readonly datasets: DatasetSnapshot;
  /** Immediate, unless the domain's mail servers have to be looked up. */
  score(address: EmailAddress, accountId: string): CompleteVerdict | Promise<CompleteVerdict>;
}

/** A domain's facts, and what they came to with the last outcome of its look-up. */
interface DomainMemo {
  readonly facts: DomainFacts;
  judged: JudgedDomain | undefined;
}

const DOMAINS_MAX = 5_000;

export function createScorer(datasets: DatasetSnapshot, directory: MailDirectory): Scorer {
  const memos = new LRUCache<string, DomainMemo>({ max: DOMAINS_MAX });
  const { disposable_domains, free_providers, role_prefixes } = datasets.versions;
  const versions = `${disposable_domains.version}/${free_providers.version}/${role_prefixes.version}`;

  return {
    datasets,
    score(address, accountId) {
      const memo = memoOf(address);
      if (memo.facts.mail !== 'ask') return conclude(address, memo, undefined);
      const outcome = directory.find(address.domain, accountId);
      if (outcome instanceof Promise) return outcome.then((found) => conclude(address, memo, found));
      return conclude(address, memo, outcome);
    },
  };

  function memoOf(address: EmailAddress): DomainMemo {
    const known = memos.get(address.domain);
    if (known !== undefined) return known;
    const facts = readDomain(address.domain, address.unicodeDomain, datasets);
    const memo: DomainMemo = { facts, judged: undefined };
    memos.set(address.domain, memo);
    return memo;
  }

  function conclude(
    address: EmailAddress,
    memo: DomainMemo,
    outcome: MailOutcome | undefined,
  ): CompleteVerdict {
    if (memo.judged === undefined || memo.judged.facts.outcome !== outcome)
      memo.judged = judgeDomain(memo.facts, outcome);
    return composeVerdict(address, memo.judged, versions);
  }
}
