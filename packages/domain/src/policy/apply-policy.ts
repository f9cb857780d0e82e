import { BANDS, type DECISIONS } from '../decision.js';
import type { CompiledPolicy, CompiledRule, PolicyFacts } from './compile-policy.js';
import type { Then } from './policy.js';

type Decision = (typeof DECISIONS)[number];

export interface PolicyOutcome {
  readonly risk_score: number;
  /** The rule that decided, by position; null for none. */
  readonly rule: number | null;
  /** Rules that only watch and matched before it. */
  readonly watched: readonly number[];
  /** One for each of these; their points lead from the score found to the score asked for. */
  readonly factors: readonly { readonly code: string; readonly points: number; readonly reason: string }[];
}

/** The codes of the factors of rules: one that decides, and one that only watches. */
export const RULE_CODES = { decides: 'POLICY', watches: 'POLICY_WATCH' } as const;

const SCORE_MAX = 100;

/** The first rule that matches decides; the score moves to the nearest point of the band that it asks for. */
export function applyPolicy({ rules, read }: CompiledPolicy, facts: PolicyFacts): PolicyOutcome {
  const values = read(facts);
  const watched: number[] = [];
  const factors: PolicyOutcome['factors'][number][] = [];
  for (let i = 0; i < rules.length; i++) {
    const { name, then, matches, endsMicros } = rules[i] as CompiledRule;
    if (facts.atMicros >= endsMicros || !matches(values)) continue;
    if ('watch' in then) {
      watched.push(i);
      const reason = `Your rule '${name}' watches this check`;
      factors.push({ code: RULE_CODES.watches, points: 0, reason });
      continue;
    }
    const [asked, risk_score] = moveScore(then, facts.score);
    factors.push({
      code: RULE_CODES.decides,
      points: risk_score - facts.score,
      reason: `Your rule '${name}' asks for ${asked}`,
    });
    return { risk_score, rule: i, watched, factors };
  }
  return { risk_score: facts.score, rule: null, watched, factors };
}

function moveScore(then: Exclude<Then, { watch: true }>, score: number): [Decision, number] {
  if ('at_least' in then) return [then.at_least, Math.max(score, bandOf(then.at_least)[0])];
  if ('at_most' in then) return [then.at_most, Math.min(score, bandOf(then.at_most)[1])];
  const [least, most] = bandOf(then.exactly);
  return [then.exactly, Math.min(Math.max(score, least), most)];
}

/** The lowest and highest score of a decision. */
function bandOf(decision: Decision): [number, number] {
  const at = BANDS.findIndex(([, name]) => name === decision);
  const above = BANDS[at - 1];
  return [BANDS[at]?.[0] ?? 0, above ? above[0] - 1 : SCORE_MAX];
}
