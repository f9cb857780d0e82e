import type { DecidedVerdict } from '@verdict/contracts/check-log-job.js';
import type { Signals } from '@verdict/contracts/signals.js';
import type { ListMatch, Seen } from '@verdict/contracts/step-note.js';
import type { Factor } from '@verdict/contracts/verdict.js';
import { listedFactors } from '@verdict/domain/account-list.js';
import { burstRules, burstSentence } from '@verdict/domain/burst-rules.js';
import type { Decision } from '@verdict/domain/decision.js';
import { decisionForScore } from '@verdict/domain/decision.js';
import { oncePerObject } from '@verdict/domain/once-per-object.js';
import { applyPolicy } from '@verdict/domain/policy/apply-policy.js';
import type { CompiledPolicy, PolicyFacts } from '@verdict/domain/policy/compile-policy.js';

/** The decision, score and reasons of a check, for the answer and for the row alike. */
export interface Judgement {
  readonly decision: Decision;
  readonly risk_score: number;
  /** Before lists and rules. */
  readonly own_score: number;
  readonly signals: Signals;
  readonly factors: readonly Factor[];
  readonly reasons: readonly string[];
  /** The rule of the account's policy that decided, by position; undefined where none did. */
  readonly rule?: number;
  /** Its rules that only watch and matched. */
  readonly watched?: readonly number[];
}

/** The account's policy, and what its rules may ask beside the verdict. */
export interface Ruled extends Pick<PolicyFacts, 'domain' | 'key' | 'network' | 'atMicros'> {
  readonly policy: CompiledPolicy;
}

/**
 * Reads decision, score and points from the match where there is one, else from the repetitions where they add to it, else
 * from the verdict. A check that met no list entry is then given to the rules, which move the score to the band they ask for.
 */
export function judge(
  verdict: DecidedVerdict,
  match?: ListMatch,
  seen?: Seen,
  ruled?: Ruled | null,
): Judgement {
  const own = seen?.points ? { ...verdict, ...burst(verdict, seen) } : verdict;
  if (match) return conclude(match, own, listedFactors(own.factors, match));
  const outcome = ruled && applyPolicy(ruled.policy, factsOf(own, seen, ruled));
  if (outcome && outcome.factors.length > 0) {
    const { risk_score, rule, watched, factors } = outcome;
    const decision = rule === null ? own.decision : decisionForScore(risk_score);
    const judged = conclude({ decision, risk_score }, own, [...own.factors, ...factors]);
    return { ...judged, watched, ...(rule !== null && { rule }) };
  }
  return own === verdict ? judgeAlone(verdict) : conclude(own, own, own.factors);
}

/** The verdict with the points of repetitions. */
const burst = (
  verdict: DecidedVerdict,
  { counts, points, decision = verdict.decision, risk_score = verdict.risk_score }: Seen,
) => ({
  decision,
  risk_score,
  factors: [
    ...verdict.factors,
    ...burstRules.flatMap(({ code, sentence }, i) => {
      const own = points?.[i] ?? null;
      return own === null ? [] : [{ code, points: own, reason: burstSentence(sentence, counts[i] ?? 0) }];
    }),
  ],
});

const factsOf = (
  { decision, risk_score, factors, signals, extra }: DecidedVerdict,
  seen: Seen | undefined,
  { domain, key, network, atMicros }: Ruled,
): PolicyFacts => ({
  score: risk_score,
  decision,
  factors,
  domain,
  signals,
  extra,
  seen: seen?.counts ?? [],
  network,
  key,
  atMicros,
});

const judgeAlone = oncePerObject((verdict: DecidedVerdict) => conclude(verdict, verdict, verdict.factors));

const conclude = (
  { decision, risk_score }: Pick<Judgement, 'decision' | 'risk_score'>,
  own: { readonly risk_score: number; readonly signals: Signals },
  factors: readonly Factor[],
): Judgement => ({
  decision,
  risk_score,
  own_score: own.risk_score,
  signals: own.signals,
  factors,
  reasons: factors.map(({ reason }) => reason),
});
