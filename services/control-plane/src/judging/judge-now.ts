import type { Preview } from '@verdict/admission/create-preview.js';
import { decide } from '@verdict/admission/decide.js';
import { judgeNew } from '@verdict/admission/engine.js';
import { fixedAnswer } from '@verdict/admission/fixed-answers.js';
import type { Judgement } from '@verdict/admission/judge.js';
import type { Meetable } from '@verdict/admission/to-subject.js';
import type { Considered } from '@verdict/contracts/considered.js';
import type { IpNetwork } from '@verdict/contracts/ip-network.js';
import type { Explanation } from '@verdict/contracts/scoring-api.js';
import { expandedFlags, mapFlags } from '@verdict/contracts/signal-flags.js';
import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { type CompiledPolicy, compilePolicy, IP_FIELD } from '@verdict/domain/policy/compile-policy.js';
import { networkOf, networkText, type PolicyNetwork } from '@verdict/domain/policy/policy-network.js';
import { readPoliciesText } from '@verdict/redis-store/policies-text.js';
import type { ScoringClient } from '@verdict/scoring-client/scoring-client.js';

/** A check that is judged and not sent. */
export interface Asked {
  readonly account: Pick<AccountScope, 'id' | 'policies'>;
  readonly address: EmailAddress;
  /** In its normal form. */
  readonly ip: string | null;
  /** Id of the key that would send it; undefined where none would. */
  readonly key: string | undefined;
  /** By a test key, whose checks count no repetitions and get fixed answers for test addresses. */
  readonly isTest?: boolean;
  /** Aborted when the reader of the answer has gone. */
  readonly signal: AbortSignal;
}

/** How a check would be judged now. */
export interface Now {
  readonly explained: Explanation;
  /** Of the IP; null where it is not looked up. */
  readonly network: IpNetwork | null;
  /** The version that is live, and its rules. */
  readonly live: number | null;
  readonly policy: CompiledPolicy | null;
  /** The facts that rules may ask about and that are not known. */
  readonly isUnknown: (field: string) => boolean;
  readonly considered: Considered;
  /** The answer under these rules. */
  readonly under: (policy: CompiledPolicy | null) => Judgement & { readonly ruleName: string | null };
}

interface Parts {
  readonly scoring: Pick<ScoringClient, 'explain' | 'ips'>;
  readonly preview: (accountId: string, checks: readonly Meetable[]) => Promise<Preview>;
  /** Spends the allowance of the account; throws where it is used up. */
  readonly allowance: (accountId: string) => Promise<void>;
}

/**
 * Judges an address as a check of the account sent now would be: scored, matched with its lists and compared with its
 * repetitions by the step's own script, then judged by the function that answers checks. Counts
 * no check, but one of the verdicts that an account gets unmetered in a day.
 */
export async function judgeNow({ scoring, preview, allowance }: Parts, asked: Asked): Promise<Now> {
  const { account, address, ip, key, isTest = false, signal } = asked;
  await allowance(account.id);
  const [explained, networks] = await Promise.all([
    (isTest && explainFixed(address)) ||
      scoring.explain({ email: address.text }, { accountId: account.id, signal }),
    ip === null ? null : scoring.ips({ ips: [ip] }).catch(() => null),
  ]);
  const { decision, risk_score, signals, extra, factors } = explained;
  const verdict = { decision, risk_score, signals, extra, factors, datasets: '' };
  const { canonical, domain } = address;
  const met = await preview(account.id, [{ canonical, normalIp: ip ?? '', verdict }]);
  const { live } = readPoliciesText(met.policies);
  const rules = live === null ? null : await account.policies.rules(live);
  const found = (met.wantsIpNetworks && networks?.networks[0]) || null;
  const network: PolicyNetwork = networkOf({ ip, network: found ? networkText(found) : undefined });
  const [match] = met.matches;
  const seen = isTest ? undefined : met.seen[0];
  return {
    explained,
    network: found,
    live,
    policy: rules && compilePolicy(rules),
    isUnknown: (field) =>
      (field === 'key' && key === undefined) ||
      (field.startsWith('seen.') && seen === undefined) ||
      (field.startsWith('mail.') && !extra.mail) ||
      (field.startsWith('ip.') && field !== IP_FIELD && network.kind === undefined),
    considered: [
      'lists',
      'policy',
      ...(seen ? (['bursts'] as const) : []),
      ...(found ? (['ip'] as const) : []),
    ],
    under: (policy) => {
      const ruled = policy && { policy, domain, key, network, atMicros: met.nowMicros };
      const judgement = judgeNew(verdict, match, seen, ruled);
      const { rule } = judgement;
      return { ...judgement, ruleName: rule === undefined ? null : (policy?.rules[rule]?.name ?? null) };
    },
  };
}

/** A test address is not scored, so nothing is listed behind its answer. */
function explainFixed(address: EmailAddress): Explanation | undefined {
  const fixed = fixedAnswer(address);
  if (!fixed) return undefined;
  const { decision, risk_score, signals, extra, factors } = decide(fixed.verdict);
  const release = fixed.datasets.disposable_domains.version;
  return {
    email: address.text,
    release,
    datasets: fixed.datasets,
    decision,
    risk_score,
    signals,
    extra: { ...mapFlags(expandedFlags, () => false), ...extra },
    factors,
    evidence: [],
  };
}
