import type { DecidedVerdict } from '@verdict/contracts/check-log-job.js';
import type { Decision } from '@verdict/contracts/decision.js';
import type { Signals } from '@verdict/contracts/signals.js';
import type { ListMatch } from '@verdict/contracts/step-note.js';
import type { Factor } from '@verdict/contracts/verdict.js';
import { listedFactors } from '@verdict/domain/account-list.js';

/** What a check comes to, for the answer and for the row alike. */
export interface Judgement {
  readonly decision: Decision;
  readonly risk_score: number;
  readonly signals: Signals;
  readonly factors: readonly Factor[];
  readonly reasons: readonly string[];
}

/** Checks that share a verdict share what it comes to. */
const judged = new WeakMap<DecidedVerdict, Judgement>();

/** Reads decision and score from the match where there is one, else from the verdict; computes neither. */
export function judge(verdict: DecidedVerdict, match?: ListMatch): Judgement {
  if (match) return conclude(match, verdict.signals, listedFactors(verdict.factors, match));
  const known = judged.get(verdict);
  if (known) return known;
  const judgement = conclude(verdict, verdict.signals, verdict.factors);
  judged.set(verdict, judgement);
  return judgement;
}

const conclude = (
  { decision, risk_score }: Pick<Judgement, 'decision' | 'risk_score'>,
  signals: Signals,
  factors: readonly Factor[],
): Judgement => ({ decision, risk_score, signals, factors, reasons: factors.map(({ reason }) => reason) });
