import type { Decision } from '@verdict/contracts/decision.js';
import type { Factor, ScoreLine } from '@verdict/contracts/scoring-api.js';
import { applyAccountList, type ListMatch } from '@verdict/domain/account-list.js';
import { decisionForScore } from '@verdict/domain/decision.js';

/** A verdict in the forms that the answer and the log want. */
export interface Judgement {
  readonly decision: Decision;
  readonly riskScore: number;
  readonly factors: readonly Factor[];
  readonly reasons: readonly string[];
  /** Without the sentences: they may name the address, and the log keeps them apart. */
  readonly points: readonly { readonly code: string; readonly points: number }[];
}

export function judge(riskScore: number, factors: readonly Factor[]): Judgement {
  return {
    decision: decisionForScore(riskScore),
    riskScore,
    factors,
    reasons: factors.map((factor) => factor.reason),
    points: factors.map(({ code, points }) => ({ code, points })),
  };
}

/** The account's own lists have the last word. `match` is "list:kind:value". */
export function judgeListed(line: Pick<ScoreLine, 'risk_score' | 'factors'>, match: string): Judgement {
  const { risk_score: riskScore, factors } = applyAccountList(line, readMatch(match));
  return judge(riskScore, factors);
}

function readMatch(match: string): ListMatch {
  const [list, kind, ...value] = match.split(':');
  return { list: list as ListMatch['list'], kind: kind as ListMatch['kind'], value: value.join(':') };
}
