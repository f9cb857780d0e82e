import type { Decision } from '@verdict/contracts/decision.js';
import type { Signals } from '@verdict/contracts/signals.js';
import type { Factor, Verdict } from '@verdict/contracts/verdict.js';
import { applyAccountList, type ListedValue } from '@verdict/domain/account-list.js';
import { decisionForScore } from '@verdict/domain/decision.js';

/** What a verdict comes to: for the answer of the gateway and the row of the worker alike. */
export interface Judgement {
  readonly decision: Decision;
  readonly risk_score: number;
  readonly signals: Signals;
  readonly factors: readonly Factor[];
  readonly reasons: readonly string[];
}

/** Checks that share a verdict share what it comes to. */
const judged = new WeakMap<Verdict, Judgement>();

/** The account's own lists have the last word. */
export function judge(verdict: Verdict, match?: ListedValue): Judgement {
  if (match) return conclude({ ...verdict, ...applyAccountList(verdict, match) });
  const known = judged.get(verdict);
  if (known) return known;
  const judgement = conclude(verdict);
  judged.set(verdict, judgement);
  return judgement;
}

const conclude = ({
  risk_score,
  factors,
  signals,
}: Pick<Verdict, 'risk_score' | 'factors' | 'signals'>): Judgement => ({
  decision: decisionForScore(risk_score),
  risk_score,
  signals,
  factors,
  reasons: factors.map(({ reason }) => reason),
});
