import { judgeNew } from '@verdict/admission/engine.js';
import type { Judgement } from '@verdict/admission/judge.js';
import { contractFlags, mapFlags } from '@verdict/contracts/signal-flags.js';
import { parseMailDomain } from '@verdict/domain/address/parse-mail-domain.js';
import { burstRules } from '@verdict/domain/burst-rules.js';
import { decisionForScore } from '@verdict/domain/decision.js';
import { instantMicros } from '@verdict/domain/instant-micros.js';
import { mailText } from '@verdict/domain/mail-servers.js';
import { type CompiledPolicy, compilePolicy } from '@verdict/domain/policy/compile-policy.js';
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

/** Judges every example with the function that answers checks. An example that names a rule wants that one to decide. */
export function runExamples(
  rules: readonly Rule[],
  examples: readonly Example[],
  nowMicros: number,
): ExampleResult[] {
  const policy = compilePolicy(rules);
  return examples.map((example, index) => {
    const { name = `example ${index + 1}`, expect, rule: wanted } = example;
    const { decision, rule: position } = judgeExample(policy, example, nowMicros);
    const rule = position === undefined ? null : (rules[position]?.name ?? null);
    return {
      example: name,
      holds: decision === expect && (wanted === undefined || wanted === rule),
      expected: wanted === undefined ? expect : `${expect} by ${wanted ?? 'no rule'}`,
      decision,
      rule,
    };
  });
}

function judgeExample(policy: CompiledPolicy, { given, at }: Example, nowMicros: number): Judgement {
  const { score = 0, codes = [], domain = '', signals = {}, seen = {}, mx, ip, key = '' } = given;
  const parsed = parseMailDomain(domain);
  const verdict = {
    risk_score: score,
    decision: decisionForScore(score),
    signals: { ...mapFlags(contractFlags, () => false), ...signals },
    extra: { ...signals, suggestion: null, ...(mx && { mail: mailText(mx) }) },
    factors: codes.map((code) => ({ code, points: 0, reason: '' })),
    datasets: '',
  };
  const counts = burstRules.map(({ name }) => seen[name] ?? null);
  return judgeNew(
    verdict,
    undefined,
    { counts },
    {
      policy,
      domain: parsed.ok ? parsed.domain.ascii : domain,
      network: networkOf({
        ip: ip?.address ?? '',
        network: ip && networkText({ ...ip, kind: ip.kind ?? null }),
      }),
      key,
      atMicros: (at === undefined ? null : instantMicros(at)) ?? nowMicros,
    },
  );
}
