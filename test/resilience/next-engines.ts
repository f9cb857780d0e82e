import { judge } from '@verdict/admission/judge.js';

/** The engines of a release whose rules move a score to the other edge of its band; it keeps the engine before. */
export const ENGINES: ReadonlyMap<number, typeof judge> = new Map([
  [1, judge],
  [2, judge],
  [3, judge],
  [4, judgeOtherwise],
]);

const MOST = { allow: 29, challenge: 54, review: 79, block: 100 } as const;

function judgeOtherwise(...check: Parameters<typeof judge>): ReturnType<typeof judge> {
  const judgement = judge(...check);
  const { rule, decision } = judgement;
  return rule === undefined ? judgement : { ...judgement, risk_score: MOST[decision] };
}
