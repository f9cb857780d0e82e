import type { Decision } from '@verdict/contracts/decision.js';
import type { Factor, ScoreLine } from '@verdict/contracts/scoring-api.js';
import { applyAccountList, type ListMatch } from '@verdict/domain/account-list.js';
import { decisionForScore } from '@verdict/domain/decision.js';

export interface Judgement {
  readonly decision: Decision;
  readonly riskScore: number;
  readonly factors: readonly Factor[];
}

/** The verdict of scoring, with the account's own lists as the last word. `match` is "list:kind:value" or ''. */
export function judge(line: ScoreLine, match: string): Judgement {
  const { risk_score: riskScore, factors } = match === '' ? line : applyAccountList(line, readMatch(match));
  return { decision: decisionForScore(riskScore), riskScore, factors };
}

function readMatch(match: string): ListMatch {
  const [list, kind, ...value] = match.split(':');
  return { list: list as ListMatch['list'], kind: kind as ListMatch['kind'], value: value.join(':') };
}
