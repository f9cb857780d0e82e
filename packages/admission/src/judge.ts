import type { DecidedVerdict } from '@verdict/contracts/check-log-job.js';
import type { Decision } from '@verdict/contracts/decision.js';
import type { Signals } from '@verdict/contracts/signals.js';
import type { ListMatch } from '@verdict/contracts/step-note.js';
import type { Factor } from '@verdict/contracts/verdict.js';
import { listedFactors } from '@verdict/domain/account-list.js';
import { oncePerObject } from '@verdict/domain/once-per-object.js';

/** The decision, score and reasons of a check, for the answer and for the row alike. */
export interface Judgement {
  readonly decision: Decision;
  readonly risk_score: number;
  readonly signals: Signals;
  readonly factors: readonly Factor[];
  readonly reasons: readonly string[];
}

/** Reads decision and score from the match where there is one, else from the verdict; computes neither. */
export function judge(verdict: DecidedVerdict, match?: ListMatch): Judgement {
  return match
    ? conclude(match, verdict.signals, listedFactors(verdict.factors, match))
    : judgeAlone(verdict);
}

const judgeAlone = oncePerObject((verdict: DecidedVerdict) =>
  conclude(verdict, verdict.signals, verdict.factors),
);

const conclude = (
  { decision, risk_score }: Pick<Judgement, 'decision' | 'risk_score'>,
  signals: Signals,
  factors: readonly Factor[],
): Judgement => ({ decision, risk_score, signals, factors, reasons: factors.map(({ reason }) => reason) });
