import type { Judge } from '@verdict/admission/engine.js';
import type { GrantedCheck } from '@verdict/admission/granted-checks.js';
import type { Judgement } from '@verdict/admission/judge.js';
import type { DecidedVerdict } from '@verdict/contracts/check-log-job.js';
import { domainOfAddress } from '@verdict/domain/address/domain-of-address.js';
import { networkOf } from '@verdict/domain/policy/policy-network.js';
import type { JudgingRules } from './rules-of-note.js';

/** A check as it was answered, and as the shadow policy judged it: the version alone where nothing of it matched or differs. */
export interface Judged {
  readonly judgement: Judgement;
  readonly policyVersion: number | null;
  readonly shadow: {
    readonly version: number;
    readonly decision?: string;
    readonly risk_score?: number;
    readonly rule?: number | null;
    readonly watched?: readonly number[];
  } | null;
}

/** Judges with the engine of the job, the versions and the clock of the note, so that the row is what was answered. */
export function judgeGranted(
  { group, check, match, seen, isTest }: GrantedCheck,
  verdict: DecidedVerdict,
  rules: JudgingRules | undefined,
  atMicros: number,
  judge: Judge,
): Judged {
  if (!rules) return { judgement: judge(verdict, match, seen), policyVersion: null, shadow: null };
  const domain = domainOfAddress(check.canonical);
  const facts = { domain, key: group.key_id, network: networkOf(check), atMicros };
  const judgement = judge(verdict, match, seen, rules.live && { ...facts, policy: rules.live });
  const policyVersion = rules.version;
  if (!rules.shadow || isTest) return { judgement, policyVersion, shadow: null };
  const { version, policy } = rules.shadow;
  const {
    decision,
    risk_score,
    rule = null,
    watched = [],
  } = judge(verdict, match, seen, { ...facts, policy });
  const isSame = rule === null && watched.length === 0 && risk_score === judgement.risk_score;
  const outcome = { version, decision, risk_score, rule, ...(watched.length > 0 && { watched }) };
  return { judgement, policyVersion, shadow: isSame ? { version } : outcome };
}
