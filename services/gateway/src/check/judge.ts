import type { LoggedVerdict } from '@verdict/contracts/check-log-job.js';
import type { Factor, ScoreLine } from '@verdict/contracts/scoring-api.js';
import { applyAccountList, type ListMatch } from '@verdict/domain/account-list.js';
import { decisionForScore } from '@verdict/domain/decision.js';

/** A verdict in the forms that the answer and the log want. */
export interface Judgement {
  readonly factors: readonly Factor[];
  /** Its factors come without the sentences: they may name the address, and the log keeps them apart. */
  readonly verdict: LoggedVerdict;
}

type Scores = Pick<ScoreLine, 'risk_score' | 'factors' | 'signals'>;

/** `datasets` are the versions that the line was scored with, as one text. */
export function judge({ risk_score, factors, signals }: Scores, datasets: string): Judgement {
  return {
    factors,
    verdict: {
      decision: decisionForScore(risk_score),
      risk_score,
      signals,
      reasons: factors.map((factor) => factor.reason),
      factors: factors.map(({ code, points }) => ({ code, points })),
      datasets,
    },
  };
}

/** The account's own lists have the last word. `match` is "list:kind:value". */
export function judgeListed(line: Scores, match: string, datasets: string): Judgement {
  return judge({ ...applyAccountList(line, readMatch(match)), signals: line.signals }, datasets);
}

function readMatch(match: string): ListMatch {
  const [list, kind, ...value] = match.split(':');
  return { list: list as ListMatch['list'], kind: kind as ListMatch['kind'], value: value.join(':') };
}
