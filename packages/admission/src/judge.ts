import type { DecidedVerdict } from '@verdict/contracts/check-log-job.js';
import type { Decision } from '@verdict/contracts/decision.js';
import type { Signals } from '@verdict/contracts/signals.js';
import type { ListMatch, Seen } from '@verdict/contracts/step-note.js';
import type { Factor } from '@verdict/contracts/verdict.js';
import { listedFactors } from '@verdict/domain/account-list.js';
import { burstRules, burstSentence } from '@verdict/domain/burst-rules.js';
import { oncePerObject } from '@verdict/domain/once-per-object.js';

/** The decision, score and reasons of a check, for the answer and for the row alike. */
export interface Judgement {
  readonly decision: Decision;
  readonly risk_score: number;
  /** Before lists. */
  readonly own_score: number;
  readonly signals: Signals;
  readonly factors: readonly Factor[];
  readonly reasons: readonly string[];
}

/**
 * Reads decision, score and points from the match where there is one, else from the repetitions where they add to it, else
 * from the verdict; computes none of them.
 */
export function judge(verdict: DecidedVerdict, match?: ListMatch, seen?: Seen): Judgement {
  const own = seen?.points ? { ...verdict, ...burst(verdict, seen) } : verdict;
  if (match) return conclude(match, own, listedFactors(own.factors, match));
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
