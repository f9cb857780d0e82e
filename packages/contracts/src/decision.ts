import { DECISIONS } from '@verdict/domain/decision.js';
import { Type } from 'typebox';

const [ALLOW, CHALLENGE, REVIEW, BLOCK] = DECISIONS;

export const DecisionSchema = Type.Union(
  [Type.Literal(ALLOW), Type.Literal(CHALLENGE), Type.Literal(REVIEW), Type.Literal(BLOCK)],
  { description: 'allow: under 30; challenge: 30 to 54; review: 55 to 79; block: 80 and above' },
);

const ANY = `(${DECISIONS.join('|')})`;
/** Several decisions with commas between, as a filter takes them. */
export const DECISIONS_PATTERN = `^${ANY}(,${ANY}){0,${DECISIONS.length - 1}}$`;
