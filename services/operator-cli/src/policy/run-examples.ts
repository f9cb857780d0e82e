import { parseMailDomain } from '@verdict/domain/address/parse-mail-domain.js';
import { burstRules } from '@verdict/domain/burst-rules.js';
import { decisionForScore } from '@verdict/domain/decision.js';
import { instantMicros } from '@verdict/domain/instant-micros.js';
import { mailText } from '@verdict/domain/mail-servers.js';
import { applyPolicy } from '@verdict/domain/policy/apply-policy.js';
import { compilePolicy, type PolicyFacts } from '@verdict/domain/policy/compile-policy.js';
import type { Rule } from '@verdict/domain/policy/policy.js';
import { networkOf, networkText } from '@verdict/domain/policy/policy-network.js';
import type { Example } from './policy-file.js';

export interface ExampleResult {
  readonly example: string;
  readonly holds: boolean;
  readonly expected: string;
  readonly decision: string;
  /** The rule that decided; null for none. */
  readonly rule: string | null;
}

/** Judges every example with the functions that judge checks. An example that names a rule wants that one to decide. */
export function runExamples(
  rules: readonly Rule[],
  examples: readonly Example[],
  nowMicros: number,
): ExampleResult[] {
  const policy = compilePolicy(rules);
  return examples.map((example, index) => {
    const { name = `example ${index + 1}`, expect, rule: wanted } = example;
    const outcome = applyPolicy(policy, factsOf(example, nowMicros));
    const decision = decisionForScore(outcome.risk_score);
    const rule = outcome.rule === null ? null : (rules[outcome.rule]?.name ?? null);
    return {
      example: name,
      holds: decision === expect && (wanted === undefined || wanted === rule),
      expected: wanted === undefined ? expect : `${expect} by ${wanted ?? 'no rule'}`,
      decision,
      rule,
    };
  });
}

function factsOf({ given, at }: Example, nowMicros: number): PolicyFacts {
  const { score = 0, codes = [], domain = '', signals = {}, seen = {}, mx, ip, key = '' } = given;
  const parsed = parseMailDomain(domain);
  return {
    score,
    decision: decisionForScore(score),
    factors: codes.map((code) => ({ code })),
    domain: parsed.ok ? parsed.domain.ascii : domain,
    signals,
    extra: mx ? { mail: mailText(mx) } : {},
    seen: burstRules.map(({ name }) => seen[name] ?? null),
    network: networkOf({ ip: '', network: ip && networkText(ip) }),
    key,
    atMicros: (at === undefined ? null : instantMicros(at)) ?? nowMicros,
  };
}
